// The runs that one candidate gets, and the verdict.
//
// First up to `runs` seeded runs of the strategy, coin tosses deciding each race. Hits are counted; the first hit that came to harm is kept.
// If none was harmed, both orders are forced `repeats` times each, with different seeds, and as often again if that shows something: if one always shows the same exit status and output and
// the other never does, that is harm as well.
//
// Claim   `confirmed` only if a run held two threads right before both accesses of one address, or ended in a deadlock in which
//         threads stood before the acquisitions that were aimed at. A hang is called harm only if the same schedule hangs twice, and for
//         `kHangFactor` times as long as any run took that ended by itself.
// Cost    runs + 4 * repeats runs; fewer where a harmful one is found early or the pair is never reached.
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
  unsigned around = 10;   // random runs that tell why a pair was not hit
  unsigned strict = 4;    // runs without a hit, after which the next ones are lax and patient in turn
  unsigned endless = 4;   // runs that all reached the limit, after which no more are made
  uint64_t firstSeed = 1;
  abi::StrategyId strategy = abi::StrategyId::Racefuzzer;
  bool wantsDeadlock = false; // the candidate is a circle of locks: a hit is a deadlock
  std::string usualHarm = {}; // kind of the harm that the program comes to anyway: no race is blamed for it
};

// The share of hits, with its interval (Wilson's).
using finding::Probability;
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
  uint64_t limited = 0;                         // runs that reached a limit
  abi::Order order = {};                        // of all runs: the sums, and the link of the first that has one
  std::vector<abi::ControlObject> objects = {}; // of the run that order.place is from
  bool directed = false;                        // any run was
  bool oneThread = false;                       // both sides ran, and in every run it was one thread
  bool unstable =
      false; // runs of one order differed among themselves: by other schedules, or by the program's own inputs
};

class Campaign {
public:
  static constexpr double kHangFactor = 10;

  Campaign(std::vector<abi::Target> targets, CampaignOptions options, Runner runner);

  // Goes on until that many runs have been made in all, or it is clear earlier. False: a run was cut short, there is no time left.
  Expected<bool> advance(unsigned runs);
  // Looks for harm in the order of a race that was hit.
  Expected<bool> compareOrders();

  // Some random runs, to see what keeps the sides apart when nobody holds them.
  Expected<bool> lookAround();

  // What is known so far. The campaign may go on.
  const Verdict &verdict() const { return verdict_; }

private:
  // What can be seen of a run from outside.
  struct Visible {
    std::optional<int> exit, signal;
    std::string output;
    bool operator==(const Visible &) const = default;
  };

  bool isHit(const Outcome &outcome) const;
  bool isEnough() const;
  void take(Outcome outcome);
  void count(const Outcome &outcome);
  void countOrder(const Outcome &outcome);
  Expected<bool> judgeHang();
  struct Kept {
    Visible visible;
    Direction direction;
    Outcome outcome;
  };
  Expected<std::vector<Kept>> runsOf(uint32_t resolve, uint64_t skipped);
  static bool standsAlone(const std::vector<Kept> &some, const std::vector<Kept> &others);

  CampaignOptions options_;
  Runner runner_;
  Direction base_;
  std::optional<Direction> hang_; // of the first hit that reached the limit
  double hangSeconds_ = 0;
  double longest_ = 0; // seconds, of runs that ended by themselves
  bool cut_ = false;
  Verdict verdict_;
};

// All of it.
Expected<Verdict> runCampaign(const std::vector<abi::Target> &targets, const CampaignOptions &options,
                              const Runner &runner);

} // namespace deadheat::confirm
