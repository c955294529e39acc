// Says what a told body does in words that the fast instruction selector knows.
//
// LLVM selects the instructions of a function that is not to be optimised quickly, until it meets one that it cannot: that
// one, and for some the whole block before it, goes through the slow selector, which took a tenth of what told bodies cost to
// compile. The few that make up most of these have a longer form that the fast one knows.
//
// Claim   The body computes the same.
// Cost    One walk over the body.
// Misses  Vectors, conversions of unsigned integers to floating point, atomic operations, and calls of strlen, strcmp and
//         the like, for which it could have instructions.
#pragma once

#include "llvm/IR/Function.h"

namespace deadheat::instrument {

void useSimpleWords(llvm::Function &told);

} // namespace deadheat::instrument
