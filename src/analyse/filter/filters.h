// The named reasons to think less of a finding.
#pragma once

#include <vector>

#include "analyse/filter/asked.h"
#include "analyse/filter/counted.h"
#include "analyse/filter/done.h"
#include "analyse/filter/lives.h"
#include "analyse/filter/numbers.h"
#include "analyse/filter/signals.h"
#include "analyse/filter/sole.h"
#include "analyse/filter/tasks.h"
#include "analyse/race/candidate.h"
#include "finding/finding.h"

namespace deadheat::analyse {

inline constexpr size_t kFewObjects = 4; // that an access may be of, and is still believed

// What comes before what, likely: made once for all findings.
struct Orders {
  Lives lives;
  Signals signals;
  Counted counted;
  Tasks tasks;
  Done done;
  Asked asked;
  Numbers numbers;
  Sole sole;

  Orders(const World &world, const Reach &reach)
      : lives(world.environment.program), signals(world), counted(world), tasks(world.environment.program),
        done(world.environment.program, reach.conditions()), asked(world, reach.conditions()), numbers(world),
        sole(world) {}
};

std::vector<finding::Demotion> demotionsOf(const World &world, Reach &reach, Orders &orders,
                                           const Candidate &candidate);

} // namespace deadheat::analyse
