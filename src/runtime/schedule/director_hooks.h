// What instrumented code tells the director: a call, a back edge, an access is a step, a target is a place to stand.
//
// The byte of an access's own slot says which side of the pair it is: the hook of any other access is one load and one count. The byte of
// a function's slot says whether it has targets: the others run their plain bodies, and tell of calls, loops and atomic operations alone.
#pragma once

#include "abi/control.h"
#include "abi/table.h"
#include "runtime/system.h"

namespace deadheat::runtime::schedule {

void markAccess(U64 slot, const abi::Target &target, U32 index);
// 0: the function is not known, so every function runs its instrumented body.
void markFunction(U64 slot);
void markCalls(U64 bias, const abi::Target &target);

// Of an acquisition that returns to this address. Where callers matter, they are looked for by frame pointers.
abi::U8 sideOfCall(U64 returnAddress);
// Lists the acquisition in the control file, once.
void keepCall(abi::Control &control, U64 returnAddress);

// The same for calls of the library that read or write memory. Whether there is anything to look for, and at this address; then
// the side of one, which is listed first if a list is wanted.
extern bool memoryCallsMatter;
inline bool looksForMemoryCalls() { return memoryCallsMatter; }
bool looksForMemoryCalls(U64 returnAddress);
void keepMemoryCalls(abi::Control &control);
abi::U8 sideOfMemoryCall(U64 returnAddress, bool isWrite);

void fillDirected(abi::HookTable &table);

} // namespace deadheat::runtime::schedule
