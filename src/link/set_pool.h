// Sets of small numbers, each kept once: equal sets have equal ids, and unions are remembered. Along the flow of pointers
// most nodes have the set of their source, so a program of millions of nodes has a few thousand sets.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"

namespace deadheat::link {

class SetPool {
public:
  using Set = uint32_t;
  static constexpr Set kEmpty = 0;

  SetPool() { sets_.emplace_back(); }

  Set single(uint32_t member) { return intern({member}); }

  Set unite(Set first, Set second) {
    if (first == second || second == kEmpty) return first;
    if (first == kEmpty) return second;
    auto [at, fresh] = unions_.try_emplace({std::min(first, second), std::max(first, second)}, kEmpty);
    if (!fresh) return at->second;
    std::vector<uint32_t> members;
    std::ranges::set_union(sets_[first], sets_[second], std::back_inserter(members));
    Set result = intern(std::move(members));
    unions_[{std::min(first, second), std::max(first, second)}] = result;
    return result;
  }

  std::span<const uint32_t> operator[](Set set) const { return sets_[set]; }

private:
  Set intern(std::vector<uint32_t> members) {
    uint64_t hash = llvm::hash_combine_range(members.begin(), members.end());
    auto &candidates = byHash_[hash >> 2]; // two bits less: DenseMap keeps two keys for itself
    for (Set candidate : candidates)
      if (sets_[candidate] == members) return candidate;
    sets_.push_back(std::move(members));
    candidates.push_back(static_cast<Set>(sets_.size() - 1));
    return candidates.back();
  }

  std::vector<std::vector<uint32_t>> sets_; // sorted, unique
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, Set> unions_;
  llvm::DenseMap<uint64_t, std::vector<Set>> byHash_;
};

} // namespace deadheat::link
