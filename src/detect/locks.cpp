#include "detect/locks.h"

#include <algorithm>

namespace deadheat::detect {

LockId LockTable::find(uint64_t address, abi::SyncKind kind) {
  auto [found, isNew] = byAddress_.try_emplace(address);
  if (isNew) found->second = locks_.add({address, kind});
  return found->second;
}

void LockTable::forget(uint64_t address, uint64_t bytes) {
  uint64_t end = bytes > UINT64_MAX - address ? UINT64_MAX : address + bytes;
  byAddress_.erase(byAddress_.lower_bound(address), byAddress_.lower_bound(end));
}

LockSetId LockSetTable::intern(LockSet locks) {
  auto [found, isNew] = ids_.try_emplace(locks);
  if (isNew) found->second = sets_.add(std::move(locks));
  return found->second;
}

bool LockSetTable::disjoint(LockSetId left, LockSetId right) const {
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
  auto [found, isNew] = ids_.try_emplace(where);
  if (isNew) found->second = rows_.add(where);
  return found->second;
}

} // namespace deadheat::detect
