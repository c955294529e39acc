#include "runtime/objects.h"

namespace deadheat::runtime {
namespace {

bool overlap(const Range &one, const Range &other) { return one.has(other.begin) || other.has(one.begin); }

bool overlap(const LoadedObject &one, const LoadedObject &other) {
  return overlap(one.accesses, other.accesses) || overlap(one.functions, other.functions);
}

bool same(const Range &one, const Range &other) {
  return one.begin == other.begin && one.size == other.size && one.base == other.base;
}

bool isEmpty(const LoadedObject &object) { return object.accesses.size + object.functions.size == 0; }

} // namespace

bool addObject(const LoadedObject &object) {
  if (abi::loadAcquire(context.page->epoch) == 0) // a fork ago
    enterProcess();
  U32 place = context.objectCount;
  for (U32 index = 0; index != context.objectCount; ++index) {
    const LoadedObject &old = context.objects[index];
    if (same(old.accesses, object.accesses) && same(old.functions, object.functions)) return true;
    if (isEmpty(old) || overlap(old, object)) place = index;
  }
  if (place == kMaxLoaded) return false;
  abi::fetchAdd(context.objectsVersion, 1u);
  for (U32 index = 0; index != context.objectCount; ++index)
    if (overlap(context.objects[index], object)) context.objects[index] = {};
  context.objects[place] = object;
  if (place == context.objectCount) ++context.objectCount;
  abi::fetchAdd(context.objectsVersion, 1u);
  abi::fetchAdd(context.page->epoch, U64(1));
  return true;
}

bool findObject(U64 slot, LoadedObject &found) {
  constexpr int kTries = 100;
  for (int tries = 0; tries != kTries; ++tries) {
    const U32 version = abi::loadAcquire(context.objectsVersion);
    found = {};
    for (U32 index = 0; index != context.objectCount; ++index) {
      const LoadedObject &object = context.objects[index];
      if (object.accesses.has(slot) || object.functions.has(slot)) found = object;
    }
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (version % 2 == 0 && abi::loadRelaxed(context.objectsVersion) == version) return !isEmpty(found);
  }
  return false;
}

bool findAgain(Thread &self, U64 slot, LoadedObject &found) {
  constexpr U32 kRegionBits = 12;
  FoundObject &kept = self.own->found[(slot >> kRegionBits) * 0x9e3779b97f4a7c15 >> (64 - kFoundBits)];
  if (kept.epoch == self.epoch && (kept.object.accesses.has(slot) || kept.object.functions.has(slot))) {
    found = kept.object;
    return true;
  }
  if (!findObject(slot, found)) return false;
  kept.epoch = 0; // a handler may come in between
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  kept.object = found;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  kept.epoch = self.epoch;
  return true;
}

} // namespace deadheat::runtime
