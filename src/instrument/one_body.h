// One body that does both: it asks at entry and in loops, remembers the answer in a stack slot, and looks there before
// each access.
//
//   slot = active; if (active) slot = enter(...)      at entry
//   if (active) slot = loop(...)                      at the top of each loop
//   if (slot) tell of the access                      before each access
//
// Cost    A test per access where nothing is attached; about a quarter of the compile time of a second body at -O0, and
//         variables stay visible to a debugger while accesses are told.
//
// For functions that cannot be copied (bodies.h), and for those that are not optimised: they have no speed to lose.
#pragma once

#include "instrument/hooks.h"
#include "instrument/late.h"

namespace deadheat::instrument {

void askInOneBody(const LateFunction &late, const Hooks &hooks);

} // namespace deadheat::instrument
