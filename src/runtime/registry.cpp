#include "runtime/registry.h"

namespace deadheat::runtime {
namespace {

bool samePath(const char *left, const char *right) {
  U32 index = 0;
  while (index + 1 < sizeof(abi::ObjectEntry::path) && left[index] != 0 && left[index] == right[index]) ++index;
  return left[index] == right[index];
}

bool matches(const abi::ObjectEntry &entry, const ObjectKey &key) {
  return abi::loadAcquire(entry.ready) && entry.slots == key.accesses.first && entry.slotCount == key.accesses.count &&
         entry.functions == key.functions.first && entry.functionCount == key.functions.count &&
         entry.file == key.file && samePath(entry.path, key.path);
}

const abi::ObjectEntry *refuse(abi::Arena &arena) {
  abi::fetchAdd(arena.header.refusedObjects, 1u);
  return nullptr;
}

} // namespace

const abi::ObjectEntry *registerObject(abi::Arena &arena, const ObjectKey &key) {
  const U32 taken = abi::loadAcquire(arena.header.objects);
  for (U32 index = 0; index < taken && index < abi::kMaxObjects; ++index)
    if (matches(arena.objects[index], key)) return &arena.objects[index];

  const U64 length = textLength(key.path);
  if (taken >= abi::kMaxObjects || length >= sizeof(abi::ObjectEntry::path)) return refuse(arena);
  const U64 base = abi::fetchAdd(arena.header.nextId, key.accesses.count);
  const U64 functionBase = abi::fetchAdd(arena.header.nextFunction, key.functions.count);
  const U32 index = abi::fetchAdd(arena.header.objects, 1u);
  constexpr U64 kMostIds = 0xffffffff;
  const bool tooMany = base + key.accesses.count > kMostIds || functionBase + key.functions.count > kMostIds;
  if (index >= abi::kMaxObjects || tooMany) return refuse(arena);

  abi::ObjectEntry &entry = arena.objects[index];
  entry.base = static_cast<U32>(base);
  entry.slots = key.accesses.first;
  entry.slotCount = key.accesses.count;
  entry.functionBase = static_cast<U32>(functionBase);
  entry.functions = key.functions.first;
  entry.functionCount = static_cast<U32>(key.functions.count);
  entry.file = key.file;
  for (U64 at = 0; at <= length; ++at) entry.path[at] = key.path[at];
  abi::storeRelease(entry.ready, 1u);
  return &entry;
}

} // namespace deadheat::runtime
