#include "detect/locks.h"

#include <algorithm>

namespace deadheat::detect {

LockId LockTable::find(uint64_t address, abi::SyncKind kind) {
  LockId &lock = byAddress_[address];
  if (!lock.valid()) lock = locks_.add({address, kind});
  return lock;
}

void LockTable::forget(uint64_t address, uint64_t bytes) { byAddress_.eraseRange(address, bytes); }

LockSetId LockSetTable::intern(LockSet locks) {
  auto [found, isNew] = ids_.try_emplace(locks);
  if (isNew) found->second = sets_.add(std::move(locks));
  return found->second;
}

LockSetId LockSetTable::with(LockSetId set, HeldLock lock) {
  LockSetId &known = larger_[change(set, lock)];
  if (known.valid()) return known;
  LockSet locks = sets_[set];
  auto place = std::ranges::lower_bound(locks, lock);
  if (place == locks.end() || *place != lock) locks.insert(place, lock);
  return known = intern(std::move(locks));
}

LockSetId LockSetTable::without(LockSetId set, HeldLock lock) {
  LockSetId &known = smaller_[change(set, lock)];
  if (known.valid()) return known;
  LockSet locks = sets_[set];
  std::erase(locks, lock);
  return known = intern(std::move(locks));
}

bool LockSetTable::disjoint(LockSetId left, LockSetId right) const {
  if (left == LockSetId(0) || right == LockSetId(0)) return true; // the empty set
  const LockSet &first = sets_[left], &second = sets_[right];
  for (const HeldLock &held : first)
    for (const HeldLock &other : second)
      if (held.lock == other.lock && !(held.shared && other.shared)) return false;
  return true;
}

bool LockSetTable::contains(LockSetId whole, LockSetId part) const {
  return whole == part || std::ranges::includes(sets_[whole], sets_[part]);
}

WhereId WhereTable::intern(Where where) {
  auto [found, isNew] = ids_.try_emplace({where.stack.value(), where.locks.value()});
  if (isNew) found->second = rows_.add(where);
  return found->second;
}

} // namespace deadheat::detect
