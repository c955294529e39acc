// The functions behind abi/hooks.def.
//
// Claim   A hook changes nothing the program can see: no errno, no locks, no allocation. Vector registers are changed only where
//         accesses are remembered (lanes.h). It waits for the reader where the ring is full, and never fails.
// Cost    About fifteen instructions for an access that the thread told since its last release, twice as many for
//         one that is told.
//
// An access told again by the same thread with no release of its own in between adds nothing: whatever races with it
// races with the one that was told, for another thread can be ordered between the two only by a release.
#pragma once

#include "abi/table.h"
#include "runtime/writer.h"

namespace deadheat::runtime {

// Whether the access belongs to an object that the thread knows, whose counts are ready.
bool knowsAccess(Thread &self, U64 slot);

// Tells the upper bits of access ids where they change.
void tellWindow(Writer &writer, U32 id);

// Fills the table of one object and switches it on. `hasBytes`: its access slots say how long accesses are.
void fillTable(abi::HookTable &table, bool hasBytes);

// A C function where its callers expect no more (abi/table.h).
inline decltype(abi::HookTable::read) likeHook(abi::Void (*function)(abi::Ptr, abi::Ptr)) {
  return reinterpret_cast<decltype(abi::HookTable::read)>(reinterpret_cast<void *>(function));
}

} // namespace deadheat::runtime
