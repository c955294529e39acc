// Functions that run at most once, because pthread_once or its like calls them, and what runs only inside of them.
//
// Claim   A function that `inside` gives an f for runs only while f does; f runs at most once. So a thread that is started only in
//         there does not live before that start, whoever comes first.
// Assumes a function that is given to once is always given with the same guard.
// Misses  functions that call each other otherwise than through once.
#pragma once

#include <vector>

#include "link/entered.h"

namespace deadheat::link {

struct Once {
  std::vector<FuncId> inside; // [function]: the one that is given to once; invalid: it runs elsewhere, too

  bool isEntry(FuncId id) const { return inside[id.value()] == id; }
};

Once findOnce(const Code &code, const CallGraph &calls, const std::vector<Entered> &entered);

} // namespace deadheat::link
