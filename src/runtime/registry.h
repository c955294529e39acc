// Entries for files with instrumented code in the shared arena.
//
// Claim   Processes that run the same file get the same ids, whenever they start; files that differ get different ids.
//         Two processes that enter a file at the same time may make two entries of it, with different ids.
#pragma once

#include "abi/ring.h"
#include "runtime/notes.h"

namespace deadheat::runtime {

// A dense range of slots, by link-time addresses.
struct LinkedSlots {
  U64 first;
  U64 count;
};

inline LinkedSlots relativeTo(U64 bias, const SlotSpan &span) { return {span.first - bias, span.count()}; }

struct ObjectKey {
  const char *path;
  abi::FileIdentity file;
  LinkedSlots accesses;
  LinkedSlots functions;
};

// The object's entry; null: no room, which is counted.
const abi::ObjectEntry *registerObject(abi::Arena &arena, const ObjectKey &key);

} // namespace deadheat::runtime
