#include "runtime/touched_table.h"

#include <gtest/gtest.h>

#include <sys/mman.h>

namespace deadheat::runtime {
namespace {

constexpr U64 kBlock = 0x5555'0000'1000;

class Touched : public testing::Test {
  U64 *bits_ = static_cast<U64 *>(
      mmap(nullptr, kTouchedBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  TouchedRange large_ = {};

protected:
  ~Touched() override { munmap(bits_, kTouchedBytes); }
  void SetUp() override { ASSERT_NE(static_cast<void *>(bits_), MAP_FAILED); }

  const TouchedTable table_{bits_, large_};
};

TEST_F(Touched, MemoryIsUntouchedUntilItIsNoted) {
  EXPECT_FALSE(table_.has(kBlock, 4096));
  table_.note(kBlock + 200, 4);
  EXPECT_TRUE(table_.has(kBlock, 4096));
  EXPECT_TRUE(table_.has(kBlock + 200, 1));
  EXPECT_FALSE(table_.has(kBlock, 192));
  EXPECT_FALSE(table_.has(kBlock + 208, 100));
}

TEST_F(Touched, ANewBlockForgetsNothingOfItsNeighbourInTheSameLine) {
  table_.note(kBlock, 24);
  table_.note(kBlock + 32, 8);
  table_.clear(kBlock + 32, 24);
  EXPECT_TRUE(table_.has(kBlock, 24));
  EXPECT_FALSE(table_.has(kBlock + 32, 24));
  table_.clear(kBlock, 24);
  EXPECT_FALSE(table_.has(kBlock, 64));
}

TEST_F(Touched, WhatCoversManyLinesIsNotedInEachAndClearedInEach) {
  table_.note(kBlock + 8, 1000);
  for (U64 at = 8; at < 1008; at += 8) EXPECT_TRUE(table_.has(kBlock + at, 8)) << at;
  EXPECT_FALSE(table_.has(kBlock, 8));
  table_.clear(kBlock, 2048);
  EXPECT_FALSE(table_.has(kBlock, 2048));
}

TEST_F(Touched, EveryPartOfALargeRangeIsTouched) {
  for (U64 large : {U64(1) << 20, 2 * kMostBytes}) {
    table_.note(kBlock, large);
    EXPECT_TRUE(table_.has(kBlock + large - 8, 8)) << large;
    EXPECT_TRUE(table_.has(kBlock + large / 2, 8)) << large;
    EXPECT_FALSE(table_.has(kBlock + large, 8)) << large;
    EXPECT_FALSE(table_.has(kBlock - 8, 8)) << large;
  }
}

TEST_F(Touched, ALookAtASmallBlockSaysTheSame) {
  for (U64 at = 0; at < 2048; at += 328) table_.note(kBlock + at, 8);
  for (U64 at = 0; at < 2048; at += 8)
    for (U64 bytes = 1; bytes <= kSmallBytes; bytes += 3)
      EXPECT_EQ(table_.hasSmall(kBlock + at, bytes), table_.has(kBlock + at, bytes)) << at << ' ' << bytes;
}

TEST_F(Touched, FarApartWordsDoNotDisturbEachOther) {
  for (U64 at = 0; at < 1 << 24; at += 4096) table_.note(kBlock + at, 8);
  for (U64 at = 0; at < 1 << 24; at += 4096) EXPECT_FALSE(table_.has(kBlock + at + 8, 4088)) << at;
  for (U64 at = 0; at < 1 << 24; at += 8192) table_.clear(kBlock + at, 8);
  for (U64 at = 0; at < 1 << 24; at += 4096) EXPECT_EQ(table_.has(kBlock + at, 8), at % 8192 != 0) << at;
}

} // namespace
} // namespace deadheat::runtime
