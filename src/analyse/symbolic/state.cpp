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

bool State::join(const State &other) {
  if (*this == other) return false;
  State both;
  both.locks = locks;
  std::ranges::set_intersection(after, other.after, std::back_inserter(both.after));
  both.memory = joinMemory(memory, other.memory);
  both.facts = facts;
  both.facts.eraseIf([&](const auto &row) {
    const Fact *fact = other.facts.find(row.first);
    return !fact || *fact != row.second;
  });
  both.clobbers = united(clobbers, other.clobbers);
  both.published = united(published, other.published);
  both.detached = united(detached, other.detached); // it only demotes: on one path is enough
  both.holds = united(holds, other.holds);
  if (*this == both) return false;
  *this = std::move(both);
  return true;
}

} // namespace deadheat::analyse
