#include "abi/ring.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

namespace deadheat::abi {
namespace {

using Words = std::vector<U64>;

std::unique_ptr<Ring> makeRing() { return std::make_unique<Ring>(); }

void put(Ring &ring, U64 word) {
  storeRelaxed(ring.words[ring.head % kRingWords], word);
  storeRelease(ring.head, ring.head + 1);
}

auto addTo(Words &words) {
  return [&words](U64 word) { words.push_back(word); };
}

TEST(Ring, HandsOverWordsInOrderAcrossItsEnd) {
  auto ring = makeRing();
  Words expected, told;
  for (U64 word = 1; word <= 3 * kRingWords; ++word) {
    put(*ring, word);
    expected.push_back(word);
    if (word % 1000 == 0) EXPECT_TRUE(drainRing(*ring, addTo(told)));
  }
  EXPECT_TRUE(drainRing(*ring, addTo(told)));
  EXPECT_EQ(told, expected);
}

TEST(Ring, ReadsAWordThatWasNeverWrittenAsZero) {
  auto ring = makeRing();
  Words told;
  for (U64 word = 1; word <= 2 * kRingWords; ++word) {
    put(*ring, word);
    if (word % 100 == 0) drainRing(*ring, [](U64) {});
  }
  drainRing(*ring, [](U64) {});
  storeRelease(ring->head, ring->head + 3);
  EXPECT_TRUE(drainRing(*ring, addTo(told)));
  EXPECT_EQ(told, (Words{0, 0, 0}));
}

TEST(Ring, ReadsADamagedRingWithoutLeavingIt) {
  auto ring = makeRing();
  ring->tail = 5;
  ring->head = 3;
  EXPECT_FALSE(drainRing(*ring, [](U64) { FAIL() << "there is nothing to tell"; }));
  EXPECT_EQ(ring->tail, 3u);
  EXPECT_TRUE(drainRing(*ring, [](U64) {}));
}

TEST(Ring, HandsWordsFromOneThreadToAnother) {
  auto ring = makeRing();
  constexpr U64 kSteps = 1000000;
  std::thread writer([&] {
    for (U64 step = 1; step <= kSteps; ++step) {
      while (ring->head - loadAcquire(ring->tail) == kRingWords) std::this_thread::yield();
      put(*ring, step);
    }
  });
  U64 next = 1;
  while (next <= kSteps) drainRing(*ring, [&](U64 word) { ASSERT_EQ(word, next++); });
  writer.join();
}

TEST(Ring, IsAsNewAfterReset) {
  auto ring = makeRing();
  for (U64 word = 1; word != 5000; ++word) put(*ring, word);
  resetRing(*ring, true);
  Words told;
  EXPECT_TRUE(drainRing(*ring, addTo(told)));
  EXPECT_TRUE(told.empty());
  for (const U64 word : ring->words) ASSERT_EQ(word, 0u);
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
