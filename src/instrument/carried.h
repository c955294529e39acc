// Reads that need no hook of their own, as a write of the same bytes follows in the same block: `++n`, `x |= y`.
//
// Claim   Between a read and the write that carries it nothing synchronises, so whatever another thread writes there races with both or
//         with neither: who knows the one pair knows the other. The write's row has the read's sites, too (late.h), and says so in its slot.
//         No access in between goes where the read led to (a list's head that is taken): what is handed over is told before it is used.
// Assumes the block is left at its end alone: what may not come back, or throw, is a call.
// Differs from ThreadSanitizer, which leaves out the same reads and forgets that they were there.
// Cost    One walk over the function.
// Misses  Reads in another block than their write, or of fewer bytes.
//
// A read after a write, or a second one, keeps its hook: a directed run stops there, and what happens between two reads of the same variable is what such
// a run looks for. Before the write it stops in any case, after the read.
#pragma once

#include <vector>

#include "ir/access.h"

namespace deadheat::instrument {

inline constexpr size_t kNotCarried = SIZE_MAX;

// By access, in order of instructions: the one that carries it.
std::vector<size_t> carriersOf(llvm::Function &function, llvm::ArrayRef<ir::Access> accesses);

} // namespace deadheat::instrument
