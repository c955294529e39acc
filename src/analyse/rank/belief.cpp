#include "analyse/rank/belief.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace deadheat::analyse {

VariableKey variableOf(const World &world, const WorldAccess &access) {
  const Entry &entry = world.entryOf(access);
  if (entry.field != 0) return {0, entry.field, 0};
  return {1, access.lvalue.node.value(), access.lvalue.offset};
}

std::string lockName(const World &world, Address lock) {
  if (auto known = world.lockTexts.find(lock); known != world.lockTexts.end()) return std::string(known->second);
  std::string text(world.names.info[lock.node.value()].text);
  if (text.empty()) text = "a lock";
  return lock.offset == 0 ? text : text + "+" + std::to_string(lock.offset);
}

// `lock` of `q->lock`: the same member under every name of its object.
static std::string memberOf(const std::string &name) {
  size_t cut = name.find_last_of(">.");
  return cut == std::string::npos ? name : name.substr(cut + 1);
}

namespace {

// The locks of each lockset by name and by member; each text is made once.
class LockWords {
public:
  struct Row {
    uint32_t member;
    uint32_t name;
  };
  explicit LockWords(const World &world) : world_(world), rows_(world.locksets.size()) {}

  const std::vector<Row> &of(uint32_t lockset) {
    if (!rows_[lockset]) {
      rows_[lockset].emplace();
      for (const HeldLock &lock : world_.locksets[lockset]) {
        if (lock.mode == LockMode::After) continue;
        std::string name = lockName(world_, lock.lock);
        uint32_t member = intern(memberOf(name)); // of two objects: held once all the same
        if (std::ranges::find(*rows_[lockset], member, &Row::member) == rows_[lockset]->end())
          rows_[lockset]->push_back({member, intern(name)});
      }
    }
    return *rows_[lockset];
  }
  const std::string &text(uint32_t id) const { return texts_[id]; }

private:
  uint32_t intern(const std::string &text) {
    auto [place, isNew] = ids_.try_emplace(text, static_cast<uint32_t>(texts_.size()));
    if (isNew) texts_.push_back(text);
    return place->second;
  }

  const World &world_;
  std::vector<std::optional<std::vector<Row>>> rows_; // [lockset]
  std::vector<std::string> texts_;
  llvm::StringMap<uint32_t> ids_;
};

struct Held {
  uint32_t times = 0;
  uint32_t name = 0;
};

} // namespace

Beliefs::Beliefs(const World &world) {
  LockWords words(world);
  std::map<VariableKey, llvm::DenseMap<uint32_t, Held>> held; // by member
  for (const WorldAccess &access : world.accesses) {
    VariableKey key = variableOf(world, access);
    Belief &belief = beliefs_[key];
    llvm::DenseMap<uint32_t, Held> &members = held[key];
    for (const Performer &performer : access.performers) {
      ++belief.accesses;
      for (const LockWords::Row &row : words.of(performer.locks))
        ++members.try_emplace(row.member, Held{0, row.name}).first->second.times;
    }
  }
  for (auto &[key, belief] : beliefs_) {
    const std::string *best = nullptr; // of those that are held as often, the first by name
    for (const auto &[member, row] : held[key]) {
      const std::string &text = words.text(member);
      if (row.times < belief.guarded || (row.times == belief.guarded && best && *best < text)) continue;
      best = &text;
      belief.guarded = row.times;
      belief.lock = words.text(row.name);
    }
  }
}

} // namespace deadheat::analyse
