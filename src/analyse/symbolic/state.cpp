#include "analyse/symbolic/state.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace deadheat::analyse {

// A location that only one side wrote has its first value on the other: not known, after both.
static SmallMap<Address, Value> joinMemory(const SmallMap<Address, Value> &a, const SmallMap<Address, Value> &b) {
  SmallMap<Address, Value> both;
  auto one = a.rows().begin();
  auto two = b.rows().begin();
  while (one != a.rows().end() || two != b.rows().end()) {
    bool isFirst = two == b.rows().end() || (one != a.rows().end() && one->first <= two->first);
    bool isSecond = one == a.rows().end() || (two != b.rows().end() && two->first <= one->first);
    Address location = isFirst ? one->first : two->first;
    both.rows().push_back({location, isFirst && isSecond ? Value::join(one->second, two->second) : Value::top()});
    one += isFirst;
    two += isSecond;
  }
  return both;
}

template <typename Item> static std::vector<Item> united(const std::vector<Item> &a, const std::vector<Item> &b) {
  std::vector<Item> both;
  std::ranges::set_union(a, b, std::back_inserter(both));
  return both;
}

Lockset State::order() const {
  Lockset all = locks;
  if (!after.empty()) all.addHeld(after);
  return all;
}

// Grows `items` to hold `more`, too; whether it changed.
template <typename Item> static bool unite(std::vector<Item> &items, const std::vector<Item> &more) {
  if (std::ranges::includes(items, more)) return false;
  items = united(items, more);
  return true;
}

// What both say: 1 and 2 are not 0.
static std::optional<Fact> common(const Fact &a, const Fact &b) {
  if (a == b) return a;
  if (a.equal && b.equal) return a.number != 0 && b.number != 0 ? std::optional(Fact{false, 0}) : std::nullopt;
  if (a.equal == b.equal || a.number == b.number) return std::nullopt;
  return a.equal ? b : a;
}

static bool joinFacts(SmallMap<FactKey, Fact> &facts, const SmallMap<FactKey, Fact> &others) {
  bool changed = false;
  for (auto &[key, fact] : facts.rows()) {
    const Fact *other = others.find(key);
    const std::optional<Fact> both = other ? common(fact, *other) : fact;
    if (!both || *both == fact) continue;
    fact = *both;
    changed = true;
  }
  return facts.eraseIf([&](const auto &row) {
    const Fact *other = others.find(row.first);
    return !other || !common(row.second, *other);
  }) || changed;
}

bool State::join(const State &other) {
  bool changed = std::erase_if(after, [&](const HeldLock &seen) { return !containsSorted(other.after, seen); }) != 0;
  if (memory != other.memory) {
    SmallMap<Address, Value> both = joinMemory(memory, other.memory);
    changed |= both != memory;
    memory = std::move(both);
  }
  changed |= joinFacts(facts, other.facts);
  for (Address lost : other.locks.lost()) changed |= locks.addLost(lost);
  changed |= clobbers.addAll(other.clobbers);
  changed |= unite(published, other.published);
  changed |= unite(handed, other.handed);
  changed |= isLockLeftOut && !other.isLockLeftOut;
  isLockLeftOut &= other.isLockLeftOut;
  changed |= isReleaseLeftOut && !other.isReleaseLeftOut;
  isReleaseLeftOut &= other.isReleaseLeftOut;
  changed |= unite(detached, other.detached); // it only demotes: on one path is enough
  changed |= unite(detachedIn, other.detachedIn);
  changed |= unite(taken, other.taken);
  changed |= unite(holds, other.holds);
  return changed;
}

} // namespace deadheat::analyse
