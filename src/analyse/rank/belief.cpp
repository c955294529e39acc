#include "analyse/rank/belief.h"

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

Beliefs::Beliefs(const World &world) {
  std::map<VariableKey, std::map<std::string, std::pair<uint32_t, std::string>>> held;
  for (const WorldAccess &access : world.accesses) {
    VariableKey key = variableOf(world, access);
    for (const Performer &performer : access.performers) {
      ++beliefs_[key].accesses;
      for (const HeldLock &lock : world.locksets[performer.locks]) {
        if (lock.mode == LockMode::After) continue;
        std::string name = lockName(world, lock.lock);
        auto &count = held[key].try_emplace(memberOf(name), 0, name).first->second;
        ++count.first;
      }
    }
  }
  for (auto &[key, belief] : beliefs_)
    for (const auto &[member, count] : held[key])
      if (count.first > belief.guarded) {
        belief.guarded = count.first;
        belief.lock = count.second;
      }
}

} // namespace deadheat::analyse
