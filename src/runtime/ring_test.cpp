#include "abi/ring.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <thread>
#include <vector>

namespace deadheat::abi {
namespace {

using Counts = std::map<U32, U64>;

std::unique_ptr<Ring> makeRing() { return std::make_unique<Ring>(); }

void count(Ring &ring, U32 id) {
  if (!countInCache(ring, id)) replaceInCache(ring, id);
}

auto addTo(Counts &counts) {
  return [&counts](U32 id, U32 times) { counts[id] += times; };
}

TEST(Ring, TellsEveryExecutionOnce) {
  auto ring = makeRing();
  Counts expected, told;
  std::mt19937 random(1);
  for (int step = 0; step != 200000; ++step) {
    const U32 id = 1 + random() % 1000;
    ++expected[id];
    count(*ring, id);
    if (step % 1000 == 0) EXPECT_TRUE(drainRing(*ring, addTo(told)));
  }
  EXPECT_TRUE(drainRing(*ring, addTo(told)));
  drainCache(*ring, addTo(told));
  EXPECT_EQ(told, expected);
  EXPECT_EQ(ring->dropped, 0u);
}

TEST(Ring, WritesNoRecordForARepeatedAccess) {
  auto ring = makeRing();
  for (int step = 0; step != 100000; ++step) count(*ring, 1 + step % kCacheEntries);
  EXPECT_EQ(ring->head, 0u);
}

TEST(Ring, CountsWhatItDropsWhenFull) {
  auto ring = makeRing();
  Counts told;
  const U64 steps = 3 * kRingRecords;
  for (U64 step = 0; step != steps; ++step) count(*ring, 1 + static_cast<U32>(step % 2) * kCacheEntries);
  EXPECT_TRUE(isFull(*ring));
  EXPECT_TRUE(drainRing(*ring, addTo(told)));
  drainCache(*ring, addTo(told));
  U64 sum = ring->dropped;
  for (const auto &[id, times] : told) sum += times;
  EXPECT_GT(ring->dropped, 0u);
  EXPECT_EQ(sum, steps);
}

TEST(Ring, LosesNothingWhenACountIsAtItsLimit) {
  auto ring = makeRing();
  Counts told;
  ring->cache[7] = makeRecord(7, 0xffffffffu);
  count(*ring, 7);
  EXPECT_TRUE(drainRing(*ring, addTo(told)));
  drainCache(*ring, addTo(told));
  EXPECT_EQ(told[7], 0x100000000u);
}

TEST(Ring, ReadsADamagedRingWithoutLeavingIt) {
  auto ring = makeRing();
  ring->tail = 5;
  ring->head = 3;
  EXPECT_FALSE(drainRing(*ring, [](U32, U32) { FAIL() << "there is nothing to tell"; }));
  EXPECT_EQ(ring->tail, 3u);
  EXPECT_TRUE(drainRing(*ring, [](U32, U32) {}));
}

TEST(Ring, HandsRecordsFromOneThreadToAnother) {
  auto ring = makeRing();
  Counts told;
  constexpr U32 kSteps = 200000;
  std::thread writer([&] {
    for (U32 step = 0; step != kSteps; ++step) {
      while (isFull(*ring)) std::this_thread::yield();
      count(*ring, 1 + step % 3 * kCacheEntries);
    }
  });
  U64 sum = 0;
  while (sum + 1 < kSteps) // one stays in the cache
    drainRing(*ring, [&](U32, U32 times) { sum += times; });
  writer.join();
  EXPECT_EQ(sum + 1, kSteps);
}

TEST(Ring, IsAsNewAfterReset) {
  auto ring = makeRing();
  for (U32 id = 1; id != 5000; ++id) count(*ring, id);
  resetRing(*ring);
  Counts told;
  EXPECT_TRUE(drainRing(*ring, addTo(told)));
  drainCache(*ring, addTo(told));
  EXPECT_TRUE(told.empty());
}

TEST(Claims, AreGrantedLowestFirstUntilNoneIsLeft) {
  std::vector<Claim> claims(kMaxRings);
  for (U32 index = 0; index != kMaxRings; ++index) ASSERT_EQ(claimRing(claims.data(), makeOwner(1, index + 1)), index);
  EXPECT_EQ(claimRing(claims.data(), makeOwner(2, 2)), kMaxRings);
  claims[17] = {};
  EXPECT_EQ(claimRing(claims.data(), makeOwner(2, 2)), 17u);
  EXPECT_EQ(ownerPid(claims[5].owner), 1u);
  EXPECT_EQ(ownerTid(claims[5].owner), 6u);
}

} // namespace
} // namespace deadheat::abi
