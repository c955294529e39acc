// Entries for files with instrumented code in the shared arena.
//
// Claim   Processes that run the same file get the same ids, whenever they start; files that differ get different ids.
//         Two processes that enter a file at the same time may make two entries of it, with different ids.
#pragma once

#include "abi/ring.h"
#include "runtime/system.h"

namespace deadheat::runtime {

struct ObjectKey {
  const char *path;
  abi::FileIdentity file;
  U64 slots;
  U64 slotCount;
};

// The id of the object's first slot; 0: no room, which is counted.
U32 registerObject(abi::Arena &arena, const ObjectKey &key);

} // namespace deadheat::runtime
