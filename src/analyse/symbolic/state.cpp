#include "analyse/symbolic/state.h"

#include <algorithm>
#include <iterator>

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

bool State::join(const State &other) {
  bool changed = std::erase_if(after, [&](const HeldLock &seen) { return !containsSorted(other.after, seen); }) != 0;
  if (memory != other.memory) {
    SmallMap<Address, Value> both = joinMemory(memory, other.memory);
    changed |= both != memory;
    memory = std::move(both);
  }
  changed |= facts.eraseIf([&](const auto &row) {
    const Fact *fact = other.facts.find(row.first);
    return !fact || *fact != row.second;
  });
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
