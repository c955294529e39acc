#include "runtime/registry.h"

namespace deadheat::runtime {
namespace {

bool samePath(const char *left, const char *right) {
  U32 index = 0;
  while (index + 1 < sizeof(abi::ObjectEntry::path) && left[index] != 0 && left[index] == right[index]) ++index;
  return left[index] == right[index];
}

bool matches(const abi::ObjectEntry &entry, const ObjectKey &key) {
  return abi::loadAcquire(entry.ready) && entry.slots == key.slots && entry.slotCount == key.slotCount &&
         entry.file == key.file && samePath(entry.path, key.path);
}

U32 refuse(abi::Arena &arena) {
  abi::fetchAdd(arena.header.refusedObjects, 1u);
  return 0;
}

} // namespace

U32 registerObject(abi::Arena &arena, const ObjectKey &key) {
  const U32 taken = abi::loadAcquire(arena.header.objects);
  for (U32 index = 0; index < taken && index < abi::kMaxObjects; ++index)
    if (matches(arena.objects[index], key)) return arena.objects[index].base;

  const U64 length = textLength(key.path);
  if (taken >= abi::kMaxObjects || length >= sizeof(abi::ObjectEntry::path)) return refuse(arena);
  const U64 base = abi::fetchAdd(arena.header.nextId, key.slotCount);
  const U32 index = abi::fetchAdd(arena.header.objects, 1u);
  if (index >= abi::kMaxObjects || base + key.slotCount > 0xffffffffu) return refuse(arena);

  abi::ObjectEntry &entry = arena.objects[index];
  entry.base = static_cast<U32>(base);
  entry.slots = key.slots;
  entry.slotCount = key.slotCount;
  entry.file = key.file;
  for (U64 at = 0; at <= length; ++at) entry.path[at] = key.path[at];
  abi::storeRelease(entry.ready, 1u);
  return entry.base;
}

} // namespace deadheat::runtime
