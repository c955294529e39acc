#include "runtime/sampler.h"

#include <gtest/gtest.h>

#include <vector>

namespace deadheat::runtime {
namespace {

constexpr U32 kPlain = 16; // sixteenths

// The lengths of bursts and pauses in turn, over so many calls.
std::vector<U64> turns(const Schedule &schedule, U64 calls, U64 wordsPerCall = 1) {
  SampleState state = {};
  std::vector<U64> lengths;
  bool last = false;
  for (U64 call = 0; call != calls; ++call) {
    const bool taken = takeNext(state, schedule);
    if (taken) state.work += wordsPerCall;
    if (lengths.empty() || taken != last) lengths.push_back(0);
    ++lengths.back();
    last = taken;
  }
  return lengths;
}

TEST(Sampler, BacksOffByTenAfterEachBurstDownToItsFloor) {
  EXPECT_EQ(turns({10, 1000, 10, kPlain, 0}, 100 + 1000 + 10000 + 10000),
            (std::vector<U64>{10, 90, 10, 990, 10, 9990, 10, 9990}));
}

TEST(Sampler, HalvesItsRateWhereItsGrowthIsTwo) {
  EXPECT_EQ(turns({2, 4, 10, kPlain, 0}, 100), (std::vector<U64>{10, 10, 10, 30, 10, 30}));
}

TEST(Sampler, KeepsAFixedRateFromTheBeginning) {
  EXPECT_EQ(turns({0, 20, 10, kPlain, 0}, 600), (std::vector<U64>{10, 190, 10, 190, 10, 190}));
}

TEST(Sampler, TakesEveryCallWhereTheRateIsOne) {
  EXPECT_EQ(turns({0, 1, 10, kPlain, 0}, 1000), std::vector<U64>{1000});
}

TEST(Sampler, EndsABurstThatTellsMuch) {
  EXPECT_EQ(turns({0, 10, 10, kPlain, 500}, 200, 200), (std::vector<U64>{3, 90, 3, 90, 3, 11}));
}

TEST(Sampler, PausesLongerWhenStretched) {
  EXPECT_EQ(turns({0, 10, 10, 3 * kPlain, 0}, 560), (std::vector<U64>{10, 270, 10, 270}));
}

} // namespace
} // namespace deadheat::runtime
