#include "driver/run_budget.h"

#include <algorithm>

#include <sys/resource.h>
#include <x86intrin.h>

namespace deadheat::driver {
namespace {

using namespace std::chrono_literals;

constexpr auto kInterval = 20ms;
constexpr double kLeastProgram = 0.005; // seconds: less says nothing
constexpr uint32_t kLongestStretch = abi::kUnstretched * 4096;

double cpuOf(int who) {
  rusage usage = {};
  getrusage(who, &usage);
  auto seconds = [](const timeval &time) { return static_cast<double>(time.tv_sec) + time.tv_usec / 1e6; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

} // namespace

RunBudget::RunBudget(RunArena &arena, double share)
    : arena_(arena), cyclesBegan_(__rdtsc()), stretch_(abi::kUnstretched) {
  cost_.budget = share;
}

double RunBudget::seconds(uint64_t cycles) const {
  double passed = std::chrono::duration<double>(Clock::now() - began_).count();
  return static_cast<double>(cycles) * passed / static_cast<double>(std::max<uint64_t>(1, __rdtsc() - cyclesBegan_));
}

// At rest nothing is taken, and the stretch waits for better times.
void RunBudget::adjust(double told, double program) {
  const double share = (told - lastTold_) / (program - lastProgram_);
  if (share > cost_.budget)
    stretch_ = std::min(stretch_ * 2, kLongestStretch);
  else if (share < cost_.budget / 2)
    stretch_ = std::max(stretch_ - stretch_ / 4, 1u);
  arena_.stretch(told > cost_.budget * program ? abi::kNothingTaken : stretch_);
}

void RunBudget::steer() {
  if (cost_.budget == 0 || Clock::now() - last_ < kInterval) return;
  last_ = Clock::now();
  const double told = seconds(arena_.spent().told), program = arena_.programSeconds();
  if (program - lastProgram_ < kLeastProgram) return;
  adjust(told, program);
  lastTold_ = told;
  lastProgram_ = program;
}

void RunBudget::finish() {
  const RingCosts spent = arena_.spent();
  cost_.told = seconds(spent.told);
  cost_.synchronisation = seconds(spent.synchronisation);
  cost_.program = cpuOf(RUSAGE_CHILDREN);
  cost_.detector = cpuOf(RUSAGE_SELF);
}

} // namespace deadheat::driver
