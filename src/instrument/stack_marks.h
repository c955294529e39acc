// Functions that ask whether the stack is as deep as it was: they take the address of a variable that nobody reads or writes, and compare it
// for equality with one that was kept (coroutines of interpreters do, to know whether C code is in between).
//
// Claim   The two bodies of a function have frames of their own size, and such a program would see another depth where one of its functions changed
//         body in between. With one body for each function of the unit it does not.
// Misses  Callers in other units, and variables that are used for something else as well (heads of lists are compared likewise).
#pragma once

#include "llvm/IR/Function.h"

namespace deadheat::instrument {

bool comparesStackDepth(const llvm::Function &function);

} // namespace deadheat::instrument
