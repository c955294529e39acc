// What is known at one point of a function, on the paths that led here with one set of locks.
//
// States with different locksets are kept apart, a few per block, each with the facts that hold on its own paths: so a
// test of the same condition, or of the result that told whether a lock was taken, leads each of them its own way (the
// paper's false alarms from conditional locking). States with equal locksets are joined.
//
// Claim   join is an upper bound; a fact, a value in memory or a lock that only one side knows is lost.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "analyse/domain/value.h"
#include "analyse/lockset/lockset.h"
#include "analyse/symbolic/clobbers.h"
#include "model/code.h"

namespace deadheat::analyse {

// The thing at hand is, or is not, this number.
struct Fact {
  bool equal = true;
  int64_t number = 0;
  bool operator==(const Fact &) const = default;
};

// Whether it is 0; nothing: it may be.
constexpr std::optional<bool> isZero(const Fact &fact) {
  if (!fact.equal && fact.number != 0) return std::nullopt;
  return fact.equal && fact.number == 0;
}

// Facts are about SSA values and about names; both in one map.
using FactKey = uint64_t;
inline FactKey factOf(model::ValueId value) { return value.value(); }
inline FactKey factOf(NodeId node) { return uint64_t(1) << 32 | node.value(); }

// A map that is small, sorted and compared as a whole.
template <typename Key, typename Item> class SmallMap {
public:
  using Rows = std::vector<std::pair<Key, Item>>;
  const Item *find(const Key &key) const {
    auto place = lower(key);
    return place != rows_.end() && place->first == key ? &place->second : nullptr;
  }
  void set(const Key &key, Item item) {
    auto place = rows_.begin() + (lower(key) - rows_.begin());
    if (place != rows_.end() && place->first == key)
      place->second = std::move(item);
    else
      rows_.insert(place, {key, std::move(item)});
  }
  // Whether there were any.
  template <typename Predicate> bool eraseIf(Predicate drop) { return std::erase_if(rows_, drop) != 0; }
  void erase(const Key &key) {
    eraseIf([&](const auto &row) { return row.first == key; });
  }
  const Rows &rows() const { return rows_; }
  Rows &rows() { return rows_; }
  bool operator==(const SmallMap &) const = default;

private:
  typename Rows::const_iterator lower(const Key &key) const {
    auto first = rows_.begin();
    for (size_t count = rows_.size(); count > 0;) {
      size_t half = count / 2;
      if (first[half].first < key) {
        first += half + 1;
        count -= half + 1;
      } else
        count = half;
    }
    return first;
  }
  Rows rows_;
};

// Sorted, unique.
template <typename Item> void insertSorted(std::vector<Item> &items, const Item &item) {
  auto place = std::lower_bound(items.begin(), items.end(), item);
  if (place == items.end() || *place != item) items.insert(place, item);
}

template <typename Item> bool containsSorted(const std::vector<Item> &items, const Item &item) {
  return std::binary_search(items.begin(), items.end(), item);
}

// A number that was taken by moving a counter on: see counters.h.
struct TakenNumber {
  NodeId number;
  bool isStep = false;
  auto operator<=>(const TakenNumber &) const = default;
};

// What others get of a formal that is published.
enum class Handing : uint8_t {
  Perhaps, // one of several callees may do it
  Content, // what it holds: a lambda whose captures are moved on
  Itself,
};

struct State {
  Lockset locks;
  std::vector<HeldLock> after;     // sorted; of mode After: what was seen or waited for, on every path
  SmallMap<Address, Value> memory; // what was written since entry; top: not known any more
  SmallMap<FactKey, Fact> facts;
  Clobbers clobbers;
  std::vector<NodeId> published;                  // fresh objects, stack objects and formals that others can reach now
  std::vector<std::pair<NodeId, Handing>> handed; // of the formals among them, if not Perhaps
  std::vector<NodeId> detached;                   // names of objects that were taken out of where they were found
  std::vector<Address> detachedIn;                // places, the thread's own or its caller's, that hold such
  std::vector<TakenNumber> taken;                 // by this thread, under a lock or at once
  std::vector<std::pair<NodeId, NodeId>> holds;   // a private object, and one that is stored in it
  bool isLockLeftOut = false;                     // on every path: see left_out.h
  bool isReleaseLeftOut = false;                  // the same, of a lock that a caller has taken, or left out

  Lockset order() const; // locks and `after` in one
  // Both have the same locks. Whether this changed.
  bool join(const State &other);
  bool operator==(const State &) const = default;
};

} // namespace deadheat::analyse
