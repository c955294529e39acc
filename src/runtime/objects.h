// The objects of the process that have instrumented code, by their slots.
#pragma once

#include "runtime/context.h"

namespace deadheat::runtime {

// Adds an object that was loaded, and forgets those it overlaps. The caller holds the loader's lock. False: no room.
bool addObject(const LoadedObject &object);

// The object whose access or function slots have this one. Any thread, at any time.
bool findObject(U64 slot, LoadedObject &found);

// The same for a thread that tells, which finds again what it found before at a look: where calls go to and fro between libraries, each of them
// asks.
bool findAgain(Thread &self, U64 slot, LoadedObject &found);

} // namespace deadheat::runtime
