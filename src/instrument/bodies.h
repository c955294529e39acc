// Two bodies in one function. The plain one is the user's code as it was; the instrumented one is a copy that tells of every
// access. They share the arguments and the stack slots, so control may pass from one to the other wherever their states
// correspond: at entry and at back edges.
//
//          entry: stack slots; is a runtime attached?
//             | no                       | yes
//             |                 hook `enter` --- 1 ---.
//             v                          | 0          v
//        .-> plain <---------------------'      instrumented <-.
//        |    | check at back edge                   | hook `loop`
//        '----+--- if attached: hook `loop` --- 1 -> |         |
//             ^                                      |         |
//             '---------------- 0 -------------------'---- 1 --'
//
// Why not two functions: function pointers, recursion, variadic calls, musttail and COMDATs keep working, and a function that
// loops for an hour can still change body.
//
// Claim   With an inert table the function computes what it did; whatever the hooks answer, it still does.
// Cost    Linear in the function; values that live across a checked back edge need merging (SSA repair), each by its live range.
// Misses  Functions that cannot be copied (computed goto, labels in inline assembly, noduplicate calls) keep one body, and each
//         access asks for itself whether a runtime is attached.
#pragma once

#include "instrument/hooks.h"
#include "instrument/late.h"
#include "instrument/loops.h"

namespace deadheat::instrument {

bool canCopy(const llvm::Function &function);

void makeTwoBodies(const LateFunction &late, const std::vector<LoopCheck> &checks, const Hooks &hooks);

// For functions that cannot be copied.
void guardEachAccess(const LateFunction &late, const Hooks &hooks);

} // namespace deadheat::instrument
