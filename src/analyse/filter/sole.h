// What only one thread does: the one that an atomic counter gave a certain number, `if (pending.fetch_sub(1) == 1) finish();`.
//
// Claim   isSame: both ways pass the same test of the same function, which holds for one number of a counter that only moves one way; no way
//         to the two statements leads around it.
// Assumes the counter is set anew only when all are through (symbolic/tickets.h).
// Cost    per pair, the blocks of the functions that both ways share and that take numbers; remembered by function.
// Misses  tests in other functions than the one that takes the number.
#pragma once

#include <map>
#include <vector>

#include "analyse/race/chains.h"
#include "analyse/race/world.h"

namespace deadheat::analyse {

class Sole {
public:
  explicit Sole(const World &world)
      : world_(world), code_{world.environment.program.units, world.environment.program.symbols} {}

  bool isSame(const std::vector<Step> &a, const std::vector<Step> &b);

private:
  using Blocks = std::vector<bool>; // [block of the function]

  const std::vector<Blocks> &behindTests(link::FuncId function);
  Blocks behind(link::FuncId function, uint32_t block, uint32_t edge) const;

  const World &world_;
  link::Code code_;
  std::map<link::FuncId, std::vector<Blocks>> known_; // of each test, who is behind it only
};

} // namespace deadheat::analyse
