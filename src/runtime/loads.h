// Atomic loads of a sampled run that find what they found before: they bring nothing, and are neither stamped nor told.
//
// Claim   A load is passed over only if no other operation on the object ended or began between the thread's last told load of it
//         and this one. So whatever it reads, the thread is after who wrote it already.
// Assumes operations on an object that may write leave marks (repeats.h) in its section: one that nobody has seen before they
//         begin, another when they end. A load that meets the former waits for the section.
// Cost    Two looks at the mark instead of a section, a stamp and an event. That an access is a load is noted in its slot.
// Misses  Of an atomic load that races with a plain write: repeats of the load. So full runs pass over none.
#pragma once

#include "abi/table.h"

namespace deadheat::runtime {

// Replaces what a sampled run does otherwise.
void fillLoads(abi::HookTable &table);

} // namespace deadheat::runtime
