#include "analyse/lockset/lockset.h"

#include <algorithm>
#include <iterator>

namespace deadheat::analyse {

static constexpr uint8_t kMaxCount = 250;

static auto find(auto &held, Address lock) { return std::ranges::lower_bound(held, lock, {}, &HeldLock::lock); }

bool Lockset::holds(Address lock) const {
  auto place = find(held_, lock);
  return place != held_.end() && place->lock == lock;
}

void Lockset::acquire(Address lock, LockMode mode) {
  auto gone = std::ranges::lower_bound(released_, lock);
  bool restored = gone != released_.end() && *gone == lock;
  if (restored) released_.erase(gone);
  auto place = find(held_, lock);
  if (place == held_.end() || place->lock != lock) {
    held_.insert(place, {lock, mode, static_cast<uint8_t>(restored ? 0 : 1), restored, false});
    return;
  }
  place->mode = std::min(place->mode, mode);
  place->turn = false;
  if (place->passed) return;
  place->count = std::min<uint8_t>(place->count + 1, kMaxCount);
}

void Lockset::acquireAll(Address family) {
  acquire(family, LockMode::Exclusive);
  find(held_, family)->all = true;
}

void Lockset::release(Address lock, MayBe mayBe) {
  auto place = find(held_, lock);
  if (place != held_.end() && place->lock == lock) {
    if (place->count > 0) {
      if (--place->count == 0 && !place->onEntry) held_.erase(place);
      return;
    }
    held_.erase(place);
  }
  auto isOwn = [&](const HeldLock &held) { return held.count > 0 && mayBe(held.lock, lock) == Likeness::Likely; };
  if (std::erase_if(held_, isOwn) != 0) return;
  auto isLost = [&](Address lost) { return lost.offset == lock.offset && mayBe(lost, lock) != Likeness::Apart; };
  if (std::ranges::any_of(lost_, isLost)) return;
  std::erase_if(held_, [&](const HeldLock &held) { return mayBe(held.lock, lock) != Likeness::Apart; });
  auto gone = std::ranges::lower_bound(released_, lock);
  if (gone == released_.end() || *gone != lock) released_.insert(gone, lock);
}

void Lockset::downgrade(Address lock) {
  auto place = find(held_, lock);
  if (place != held_.end() && place->lock == lock) {
    place->mode = LockMode::Shared;
    place->count = 1;
  }
}

void Lockset::pass(Address once) {
  if (!holds(once)) acquire(once, LockMode::Shared);
  downgrade(once);
  find(held_, once)->passed = true;
}

void Lockset::rename(llvm::function_ref<bool(HeldLock &)> keep) {
  std::erase_if(held_, [&](HeldLock &held) { return !keep(held); });
  std::ranges::sort(held_);
  auto repeated = std::ranges::unique(held_, {}, &HeldLock::lock);
  held_.erase(repeated.begin(), repeated.end());
}

void Lockset::renameReleased(llvm::function_ref<Address(Address)> name) {
  for (Address &gone : released_) gone = name(gone);
  std::ranges::sort(released_);
  auto repeated = std::ranges::unique(released_);
  released_.erase(repeated.begin(), repeated.end());
}

void Lockset::addHeld(std::vector<HeldLock> held) {
  held_.insert(held_.end(), held.begin(), held.end());
  rename([](HeldLock &) { return true; });
}

bool Lockset::addLost(Address lock) {
  auto place = std::ranges::lower_bound(lost_, lock);
  bool isKnown = place != lost_.end() && *place == lock;
  if (isKnown || (place == lost_.end() && lost_.size() == kMaxLost)) return false;
  lost_.insert(place, lock);
  if (lost_.size() > kMaxLost) lost_.pop_back();
  return true;
}

void Lockset::forget(llvm::function_ref<bool(Address)> isGone) {
  for (const HeldLock &held : held_)
    if (held.mode != LockMode::After && held.count > 0 && isGone(held.lock)) addLost(held.lock);
  std::erase_if(held_, [&](const HeldLock &held) { return isGone(held.lock); });
}

Lockset Lockset::join(const Lockset &a, const Lockset &b) {
  Lockset both;
  for (const HeldLock &held : a.held_) {
    auto place = find(b.held_, held.lock);
    if (place != b.held_.end() && place->lock == held.lock)
      both.held_.push_back({held.lock, std::max(held.mode, place->mode), std::min(held.count, place->count),
                            held.onEntry || place->onEntry, held.weak || place->weak, held.passed && place->passed,
                            held.turn || place->turn, held.all && place->all});
  }
  std::ranges::set_union(a.released_, b.released_, std::back_inserter(both.released_));
  both.lost_ = a.lost_;
  for (Address lost : b.lost_) both.addLost(lost);
  return both;
}

// A lock that the callee released and acquired again is held as often as before.
void Lockset::restore(const HeldLock &again) {
  auto place = find(held_, again.lock);
  if (place == held_.end() || place->lock != again.lock) held_.insert(place, {again.lock, again.mode, 0, true, false});
}

void Lockset::update(const Lockset &change, MayBe mayBe) {
  for (Address lock : change.released_) release(lock, mayBe);
  for (const HeldLock &held : change.held_) {
    if (held.onEntry) restore(held);
    if (held.passed)
      pass(held.lock);
    else if (held.turn)
      addHeld({held});
    else
      for (uint8_t i = 0; i < held.count; ++i) held.all ? acquireAll(held.lock) : acquire(held.lock, held.mode);
  }
  for (Address lost : change.lost_) addLost(lost);
}

} // namespace deadheat::analyse
