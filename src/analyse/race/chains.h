// From a guarded access down to the statements of the source that do it, with the calls that lead there.
#pragma once

#include <vector>

#include "analyse/race/world.h"

namespace deadheat::analyse {

struct Step {
  link::FuncId function;
  model::StatementId statement; // a call; of the last step: the access
  uint32_t entry = UINT32_MAX;  // of the function's summary; none: the access was settled further in
};

struct Leaf {
  link::UnitId unit;
  model::SiteId site;
  std::vector<Step> steps; // outermost first
  uint32_t settledAt = 0;  // the step in the function of the access; those before it lead there from the user's code
};

// At most `limit` of them, in order of the source. Library code is told from each of a few places that called it.
std::vector<Leaf> leavesOf(const World &world, const WorldAccess &access, size_t limit);

} // namespace deadheat::analyse
