// The plain body after its function got a second one: it asks at entry, and at the back edges that loops.h chose,
// whether to go on in the told body, and takes over again where that one leaves.
//
//   entry --- runtime attached? ---------.
//     |                                  v
//   plain code <--- 0 ---- save state, call told(frame, where) --- kDone ---> return its result
//     |                                  ^        | k
//   back edge k --- attached? -----------'        '---> read state, go on at header k
#pragma once

#include "instrument/crossing.h"
#include "instrument/hooks.h"
#include "instrument/late.h"

namespace deadheat::instrument {

void askInPlain(const LateFunction &late, const Crossings &crossings, llvm::Function &told, const Hooks &hooks);

} // namespace deadheat::instrument
