// Relative locksets (RELAY, 3.2): how the locks held at a point differ from those held on entry of the function.
//
// held      L+, a must set: acquired on every path since entry and not released. Sorted by lock.
// released  L-, a may set: held on entry, perhaps, and released on some path. Sorted.
// lost      acquired here, under a name that means nothing any more (all locks of an array, one after the other). A
//           release under a name that is not held either is of one of these. Sorted, at most kMaxLost.
//
// Claim   join is the paper's ⊔ (L+ meets, L- unites); update is its lockUpdate.
// Differs from the paper in three ways:
//   - acquisitions are counted: what was acquired twice and released once is still held, and a lock that was acquired
//     here and is released here leaves no trace in L-. A caller that holds a recursive lock keeps it over such a call
//     (the paper's false alarms from re-entrant locks); for a lock that is not recursive such a call would hang.
//   - a lock has a mode: shared holders of a read-write lock do not exclude each other.
//   - what is released need not be named exactly: `mayBe` says which held locks a release may mean. One of those that
//     were acquired here is likelier than one of the caller's.
#pragma once

#include <cstdint>
#include <vector>

#include "llvm/ADT/STLFunctionalExtras.h"

#include "analyse/domain/path.h"

namespace deadheat::analyse {

// After: no lock, but something that another thread does first: an atomic that was seen set, a semaphore that was posted.
enum class LockMode : uint8_t { Exclusive, Shared, After };

struct HeldLock {
  Address lock = {};
  LockMode mode = LockMode::Exclusive;
  uint8_t count = 1;    // acquisitions since entry that were not released
  bool onEntry = false; // released and acquired again: held, as often as on entry
  bool weak = false;    // one of a family (an array of locks), and it is not known which
  bool passed = false;  // an initialisation that is done: it holds for ever, and passing it again adds nothing
  bool turn = false;    // After: a number that was compared with another one; it tells whose turn it is
  bool all = false;     // of a family: each of them, one after the other
  auto operator<=>(const HeldLock &) const = default;
};

// Whether a lock that is released is one that is held, under another name.
inline constexpr size_t kMaxLost = 8;

enum class Likeness : uint8_t { Apart, Perhaps, Likely };

class Lockset {
public:
  using MayBe = llvm::function_ref<Likeness(Address held, Address released)>;

  const std::vector<HeldLock> &held() const { return held_; }
  const std::vector<Address> &released() const { return released_; }
  const std::vector<Address> &lost() const { return lost_; }
  bool holds(Address lock) const;
  bool empty() const { return held_.empty() && released_.empty() && lost_.empty(); }

  // Equal but for what was lost.
  bool isAlike(const Lockset &other) const { return held_ == other.held_ && released_ == other.released_; }

  void acquire(Address lock, LockMode mode);
  void acquireAll(Address family); // by the name of whichever of them
  void release(Address lock, MayBe mayBe);
  void downgrade(Address lock); // shared from now on, and acquired once
  void pass(Address once);      // initialised, by this thread or by another one
  // Not known to be held any more, though nobody released it: its name now means something else.
  void forget(llvm::function_ref<bool(Address)> isGone);

  static Lockset join(const Lockset &a, const Lockset &b);
  // The same locks under other names, or none.
  void rename(llvm::function_ref<bool(HeldLock &)> keep);
  void renameReleased(llvm::function_ref<Address(Address)> name);
  bool addLost(Address lock); // whether it is new
  void dropLost() { lost_.clear(); }
  void addHeld(std::vector<HeldLock> held); // as they are; of equal ones the first
  // What holds after `change` was done by a callee, in the caller's names.
  void update(const Lockset &change, MayBe mayBe);

  auto operator<=>(const Lockset &) const = default;

private:
  void restore(const HeldLock &again);

  std::vector<HeldLock> held_;
  std::vector<Address> released_;
  std::vector<Address> lost_;
};

} // namespace deadheat::analyse
