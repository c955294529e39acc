// The code of a model as text for people: one statement a line, values as %n, symbols by their names.
//
//   block 1
//     %4 = field %0 + 40
//     %5 = call pthread_mutex_lock(%4 'q->lock')  13:3
//     branch %5 == 0 ? 2 : 3
#pragma once

#include "llvm/Support/raw_ostream.h"

#include "model/unit.h"

namespace deadheat::driver {

void printCode(llvm::raw_ostream &out, const model::Unit &unit, const model::Function &function);

// Symbols, initial values and classes of a unit.
void printSymbols(llvm::raw_ostream &out, const model::Unit &unit);

} // namespace deadheat::driver
