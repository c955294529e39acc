// Locks, the sets of them that threads hold, and where accesses were made: stack and lockset together.
#pragma once

#include <map>
#include <vector>

#include "llvm/ADT/DenseMap.h"

#include "abi/event.h"
#include "detect/address_map.h"
#include "detect/stacks.h"
#include "support/id.h"

namespace deadheat::detect {

using LockId = Id<struct LockTag>; // a lock from when it is first seen until its memory is freed
using LockSetId = Id<struct LockSetTag>;
using WhereId = Id<struct WhereTag>;

struct Lock {
  uint64_t address = 0;
  abi::SyncKind kind = abi::SyncKind::Mutex;
};

struct HeldLock {
  LockId lock;
  bool shared = false; // as a reader

  auto operator<=>(const HeldLock &) const = default;
};

class LockTable {
public:
  LockId find(uint64_t address, abi::SyncKind kind);
  void forget(uint64_t address, uint64_t bytes); // what comes there later is another lock
  const Lock &operator[](LockId lock) const { return locks_[lock]; }
  size_t size() const { return locks_.size(); }

private:
  IdTable<LockId, Lock> locks_;
  AddressMap<LockId> byAddress_;
};

// Sorted, unique, usually under five elements.
using LockSet = std::vector<HeldLock>;

class LockSetTable {
public:
  LockSetTable() { intern({}); }
  LockSetId intern(LockSet locks);
  LockSetId with(LockSetId set, HeldLock lock);
  LockSetId without(LockSetId set, HeldLock lock);
  const LockSet &operator[](LockSetId set) const { return sets_[set]; }
  // No lock in both that one of them holds alone: then the holders may be there at once.
  bool disjoint(LockSetId left, LockSetId right) const;
  // All of `part` is in `whole`, in the same mode.
  bool contains(LockSetId whole, LockSetId part) const;

private:
  using Change = std::pair<uint32_t, uint32_t>; // of a set, by a lock and its mode
  static Change change(LockSetId set, HeldLock lock) { return {set.value(), lock.lock.value() << 1 | lock.shared}; }

  IdTable<LockSetId, LockSet> sets_;
  std::map<LockSet, LockSetId> ids_;
  llvm::DenseMap<Change, LockSetId> larger_, smaller_;
};

struct Where {
  StackId stack;
  LockSetId locks;

  auto operator<=>(const Where &) const = default;
};

class WhereTable {
public:
  WhereId intern(Where where);
  const Where &operator[](WhereId id) const { return rows_[id]; }

private:
  IdTable<WhereId, Where> rows_;
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, WhereId> ids_;
};

} // namespace deadheat::detect
