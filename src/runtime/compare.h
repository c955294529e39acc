// The comparison of samplers on one interleaving (LiteRace, 5.3): every access is told, with the samplers that would have told it.
//
// Claim   At each entry and back edge each sampler decides as it does when it runs alone. An access carries the decisions for the
//         call that it lies in. Accesses are counted in the ring by that set, also those that are not told again.
// Assumes that a sampler would have seen the same interleaving.
// Differs in a run of its own an access that is passed over is a quarter of the work of one that is told; here all of it.
// Misses  Calls deeper than kMaxFrames count as their callers.
#pragma once

#include "abi/table.h"
#include "runtime/frames.h"
#include "runtime/sampler.h"

namespace deadheat::runtime {

// Replaces what a comparison does otherwise.
void fillCompared(abi::HookTable &table);

// Tells who would have told what comes next from the calls in which `here` lies: for library functions.
void tellSamplers(Writer &writer);

} // namespace deadheat::runtime
