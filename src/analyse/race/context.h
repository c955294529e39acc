// Locks that are held whenever a thread enters a function: what its callers hold for it, on every way down from the
// thread's entry.
#pragma once

#include <vector>

#include "llvm/ADT/DenseMap.h"

#include "analyse/race/world.h"

namespace deadheat::analyse {

// For one thread; functions that it does not reach are missing.
using Contexts = llvm::DenseMap<uint32_t, HeldLocks>; // [function]

Contexts contextsOf(World &world, link::ThreadId thread);

// Without those that `released`, in the function's own names, may mean.
HeldLocks withoutReleased(const World &world, const HeldLocks &held, link::FuncId function,
                          const std::vector<Address> &released);

} // namespace deadheat::analyse
