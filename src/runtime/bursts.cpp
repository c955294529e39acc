#include "runtime/sampler.h"

namespace deadheat::runtime {
namespace {

constexpr U32 kMostLevels = 32;
constexpr U64 kLongestPause = 1000000000;

// Of every so many calls one is taken at this level.
U64 oneInAt(const Schedule &schedule, U32 level) {
  if (schedule.growth == 0) return schedule.oneIn;
  U64 oneIn = 1;
  for (; level != 0 && oneIn < schedule.oneIn; --level) oneIn *= schedule.growth;
  return oneIn < schedule.oneIn ? oneIn : schedule.oneIn;
}

} // namespace

bool takeNext(SampleState &state, const Schedule &schedule) {
  if (state.pause != 0) return --state.pause, false;
  if (schedule.words != 0 && state.taken == 0) state.work = 0;
  const bool workedEnough = schedule.words != 0 && state.work > schedule.words;
  if (state.taken < schedule.burst && !workedEnough) return ++state.taken, true;
  if (state.level + 1 < kMostLevels) ++state.level;
  const U64 pause = (oneInAt(schedule, state.level) - 1) * schedule.burst * schedule.stretch / kUnstretched;
  state.taken = pause == 0;
  state.pause = static_cast<U32>(pause < kLongestPause ? pause : kLongestPause);
  return state.pause == 0 || (--state.pause, false);
}

} // namespace deadheat::runtime
