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
  static constexpr Set kAll = UINT32_MAX; // too many to list

  explicit SetPool(size_t limit = SIZE_MAX) : limit_(limit) { sets_.emplace_back(); }

  Set single(uint32_t member) { return intern({member}); }

  Set unite(Set first, Set second) {
    if (first == second || second == kEmpty) return first;
    if (first == kEmpty) return second;
    Set both[] = {first, second};
    return uniteAll(both);
  }

  // At once: the sets on the way to a large union are never made. Sorts `sets`.
  Set uniteAll(std::span<Set> sets) {
    std::ranges::sort(sets);
    auto end = std::ranges::unique(sets).begin();
    sets = sets.first(end - sets.begin());
    if (!sets.empty() && sets.front() == kEmpty) sets = sets.subspan(1);
    if (sets.empty()) return kEmpty;
    if (sets.back() == kAll) return kAll;
    if (sets.size() == 1) return sets.front();
    uint64_t key = llvm::hash_combine_range(sets.begin(), sets.end());
    for (const Union &known : unions_[key >> 2])
      if (std::ranges::equal(known.of, sets)) return known.result;
    std::vector<uint32_t> members;
    for (Set set : sets) members.insert(members.end(), sets_[set].begin(), sets_[set].end());
    std::ranges::sort(members);
    members.erase(std::ranges::unique(members).begin(), members.end());
    Set result = members.size() > limit_ ? kAll : intern(std::move(members));
    unions_[key >> 2].push_back({{sets.begin(), sets.end()}, result});
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
  struct Union {
    std::vector<Set> of;
    Set result;
  };
  llvm::DenseMap<uint64_t, std::vector<Union>> unions_; // by hash
  size_t limit_;
  llvm::DenseMap<uint64_t, std::vector<Set>> byHash_;
};

} // namespace deadheat::link
