// The instrumented body: a function of its own beside the plain one, which tells the runtime of every access.
//
// Without crossings it has the plain function's signature and is entered by a guaranteed tail call. With crossings it
// is
//
//   i32 told(frame, where)    where 0: from the start; k: at crossing k    returns kDone: result in the frame; else: go
//   on there
//
// The plain body has asked the runtime before it enters; loops ask here whether to go back.
//
// It is compiled without optimisation by the code generator (its IR is as optimised as the plain body's): that is what
// keeps compile time within budget, see docs/design/0002-two-functions.md.
#pragma once

#include "instrument/crossing.h"
#include "instrument/hooks.h"
#include "instrument/late.h"

namespace deadheat::instrument {

inline constexpr int kDone = -1;

llvm::Function *makeTold(const LateFunction &late, const Crossings &crossings, const Hooks &hooks);

} // namespace deadheat::instrument
