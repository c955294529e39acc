// What watching costs the program, and how that is held to a share of its CPU time.
//
// Claim   Over the whole run, told code takes about the share that was asked for: where it has taken more, nothing is taken until
//         the program has earned it; where it takes less, pauses between bursts become shorter, down to a sixteenth.
// Assumes the processor's clock counts at one rate. Told code is counted whole, though the plain code would have cost a part of it.
// Cost    A look at the rings and one clock per process every few milliseconds; in told code a look at the clock per access.
// Misses  The question at each call that is not taken, atomic operations, and the detector beside the program: the last is told apart.
//         A program that ends within its first burst cannot be held to anything.
#pragma once

#include <chrono>

#include "driver/run_arena.h"

namespace deadheat::driver {

struct RunCost {
  double program = 0;         // seconds of CPU, with what it started and waited for
  double told = 0;            // of which in told code
  double synchronisation = 0; // of which in telling of locks and the like
  double detector = 0;        // seconds of CPU in this process
  double budget = 0;          // share; 0: there was none, and told and synchronisation were not measured
};

class RunBudget {
public:
  RunBudget(RunArena &arena, double share);

  void steer();  // now and then
  void finish(); // after the command has ended, before the arena is finished
  const RunCost &cost() const { return cost_; }

private:
  using Clock = std::chrono::steady_clock;

  double seconds(uint64_t cycles) const; // by both clocks since the beginning
  void adjust(double told, double program);

  RunArena &arena_;
  RunCost cost_;
  Clock::time_point began_ = Clock::now();
  Clock::time_point last_ = began_;
  uint64_t cyclesBegan_;
  uint32_t stretch_;
  double lastTold_ = 0;
  double lastProgram_ = 0;
};

} // namespace deadheat::driver
