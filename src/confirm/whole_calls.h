// The functions of the library that work for the calls of one line: what a container does for a call is one access of it, at that line.
//
// Claim   Each is called there, directly or by others of the library, by a call whose callee is known; and by no other line of the function.
// Misses  Virtual functions and callbacks; library code in other units.
#pragma once

#include <set>

#include "finding/finding.h"
#include "model/unit.h"

namespace deadheat::confirm {

std::set<model::FunctionId> libraryFunctionsAt(const model::Unit &unit, model::FunctionId function,
                                               const finding::Place &place);

} // namespace deadheat::confirm
