// What callers give a function: numbers, and functions.
//
// The numbers that a parameter may be: what all callers of the function give it, where they name both.
//
// `control(kSetSize, n)` and `control(kSetMode, m)` never get to the other cases of its switch.
//
// Claim   If there are numbers, the parameter is one of them in every call of the program.
// Cost    linear in the callers of the function.
// Misses  numbers that callers pass on from their own; functions that are called through pointers, too.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "link/program.h"

namespace deadheat::analyse {

inline constexpr size_t kMaxGiven = 32;

// Nothing: it may be anything.
std::optional<std::set<int64_t>> numbersGiven(const link::Program &program, link::FuncId function, uint32_t parameter);

// `report(start, line, finish)` calls what it is given, and who gives this `start` gives that `finish`: which functions come together.
// A row for each call of the function; where it does not name what it gives, there is none: anything.
using GivenFunctions = std::vector<std::map<uint32_t, link::FuncId>>; // [call][parameter]

// Empty: others may give anything.
GivenFunctions functionsGiven(const link::Program &program, link::FuncId function);

} // namespace deadheat::analyse
