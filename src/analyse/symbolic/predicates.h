// What a function that is asked whether to go on has looked at, by what it says.
//
//     return closed || !items.empty();      true: one of the two, and nobody knows which; false: both
//
// Claim   Each way on which the function returns 0, or not 0, has tested these statements' values such that it could not have returned that
//         otherwise, or returns what is made of them. A way is followed back through blocks that have one way in. Nothing: no way returns that.
// Cost    linear in the function, for each of its tests.
// Misses  tests before ways that have come together again; values of more than kMaxSteps steps.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "analyse/domain/path.h"
#include "link/program.h"

namespace deadheat::analyse {

using Looks = std::set<model::StatementId>; // loads and calls

// What a call of such a function has read, in the caller's names; sorted.
struct Tested {
  std::vector<Address> all;
  std::vector<Address> ifZero; // what counts if it returns 0
  std::vector<Address> ifNot;
};

std::optional<Looks> lookedAt(const link::Program &program, link::FuncId function, bool isZero);

} // namespace deadheat::analyse
