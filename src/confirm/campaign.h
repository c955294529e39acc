// The runs that one candidate gets, and the verdict.
//
// First `runs` seeded runs of the strategy, coin tosses deciding each race. Hits are counted; the first hit of each order (which side
// went first) that came to harm is kept. If none was harmed, both orders are forced `repeats` times each: exit status
// or output that is stable within each order and differs between them is harm as well.
//
// Claim   `confirmed` only if a run held two threads right before both accesses of one address, or ended in a real deadlock.
// Cost    runs + 2 * repeats runs; fewer where a harmful one is found early or the pair is never reached.
// Misses  Harm that needs two races at once, or another input.
#pragma once

#include "confirm/direction.h"
#include "finding/finding.h"

namespace deadheat::confirm {

struct CampaignOptions {
  unsigned runs = 100;
  unsigned repeats = 5;   // runs of each order when outputs are compared
  unsigned enough = 20;   // hits after which no more runs are made, once harm is known or looked for
  unsigned hopeless = 10; // runs in which a side was never executed, after which no more are made
  uint64_t firstSeed = 1;
  abi::StrategyId strategy = abi::StrategyId::Racefuzzer;
  bool wantsDeadlock = false; // the candidate is a cycle of locks: a hit is a deadlock
};

// The share of hits, with the interval that holds it with 95 % confidence (Wilson).
struct Probability {
  double value = 0;
  double low = 0;
  double high = 1;
};
Probability probabilityOf(uint64_t hits, uint64_t runs);

struct Verdict {
  bool confirmed = false;
  std::optional<finding::Harm> harm = {};
  uint64_t runs = 0;
  uint64_t hits = 0;
  Probability probability = {};
  Direction direction = {}; // of the run that is kept: the harmful one, else the first hit
  Outcome outcome = {};     // its outcome
  uint64_t reached[2] = {0, 0};
  bool directed = false;  // any run was
  bool oneThread = false; // both sides ran, and in every run it was one thread
  bool unstable = false;  // runs of one order differed among themselves: the program's own inputs vary
};

Expected<Verdict> runCampaign(const std::vector<abi::Target> &targets, const CampaignOptions &options,
                              const Runner &runner);

} // namespace deadheat::confirm
