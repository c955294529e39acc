// Locks that are left out: `if (threaded) lock(m); ... if (threaded) unlock(m);`.
//
// Who goes around a lock that the same function takes otherwise mostly does so where there is only one thread, and gives
// back nothing where it is given back.
//
// Claim   An edge is here if it leads from a branch to where its other way comes after it has done nothing but take, or give
//         back, one lock; itself, or by a function that does so on all its ways; or has given up (`if (lock(m) != 0) abort();`). A
//         function that takes a lock for its caller, or gives one back, tells the way around it apart (Exit::isLeftOut): who has left out
//         the lock gives none back.
// Assumes that the test is of a mode. A test that has nothing to do with threads leaves a race: it is told, and demoted.
// Cost    linear in blocks.
// Misses  what callees do meanwhile.
#pragma once

#include <map>
#include <utility>

#include "link/program.h"

namespace deadheat::analyse {

enum class LeftOut : uint8_t { Taking, GivingBack };

using EdgesAround = std::map<std::pair<uint32_t, uint32_t>, LeftOut>; // by block and next block

struct Environment;

EdgesAround findEdgesAround(const Environment &environment, link::FuncId function);

} // namespace deadheat::analyse
