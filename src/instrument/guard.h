// Hooks of a plain body behind a test: an inert program pays one load and one branch that is never taken.
#pragma once

#include "instrument/hooks.h"
#include "instrument/late.h"

namespace deadheat::instrument {

// Whether the plain body tells of it too (HookTable::sync): order between threads is never sampled.
bool isSync(const ir::Access &access);

// Removes what is no longer true of a function that reads the table and calls hooks.
void breakPromises(llvm::Function &function);

// Splits the block in front of `where`. Returns the end of a new block on the way that is gone if `condition` holds.
llvm::Instruction *ifRarely(llvm::Value *condition, llvm::Instruction *where);

// Tells of synchronisation if the runtime wants it. An atomic operation is doubled, so that one test decides about the
// hooks before and after it; one in assembly is not, for reading a text twice takes a compiler longer than a second test
// of the same value takes the program. Splits the block of the access.
void guardSync(const LateAccess &entry, const Hooks &hooks);

} // namespace deadheat::instrument
