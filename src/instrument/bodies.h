// Two bodies for every function. The plain one is the user's code as it was; the told one is a copy that tells the
// runtime of every access (told.h). Control passes between them at entry and at back edges (plain.h), where their
// states correspond (crossing.h), so a function that loops for an hour can still change body. The function keeps its
// name, address, signature and COMDAT: only the plain body is ever called from outside.
//
// Claim   With an inert table the function computes what it did; whatever the hooks answer, it still does.
// Misses  Functions that cannot be copied (computed goto, labels in inline assembly, noduplicate calls) keep one body
//         (one_body.h), and so do those that are not optimised, and all of a unit where one compares depths of the stack
//         (stack_marks.h). Functions whose state cannot travel (variadic,
//         variable-size stack slots, setjmp, musttail, return addresses, AddressSanitizer) change body at entry alone.
#pragma once

#include "instrument/hooks.h"
#include "instrument/late.h"
#include "instrument/loops.h"

namespace deadheat::instrument {

// Whether a guaranteed tail call can enter a told body of the same signature. Unusual conventions guarantee none, and
// arguments in memory are passed on as a copy, for which a jump cannot make room. After a jump nothing can tell of the
// exit.
bool canJumpToTold(const llvm::Function &function);

bool canCopy(const llvm::Function &function);
bool canCross(const llvm::Function &function);

void makeTwoBodies(const LateFunction &late, const std::vector<LoopCheck> &checks, const Hooks &hooks);

} // namespace deadheat::instrument
