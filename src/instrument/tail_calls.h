// Keeps the caller's frame where code of the program ends in a call of the library.
//
// Claim   The return address that such a call leaves is in the function that wrote it, so that run tells the line of the
//         program where a thread is started, a lock taken or a string changed; not that of whoever called that function.
// Assumes the library does not call back and end in a tail call again and again: calls of the program's own functions,
//         which may count on that to go round without end, stay as they are; so does what must be a tail call.
// Misses  Functions that no debug info tells to be the library's, and calls through pointers.
#pragma once

#include "llvm/IR/Module.h"

namespace deadheat::instrument {

void keepFramesBelowLibrary(llvm::Module &module);

} // namespace deadheat::instrument
