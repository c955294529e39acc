#include "runtime/touched_table.h"

#include <gtest/gtest.h>

#include <vector>

namespace deadheat::runtime {
namespace {

constexpr U64 kBlock = 0x5555'0000'1000;

class Touched : public testing::Test {
  std::vector<U64> entries_ = std::vector<U64>(1 << kTouchedBits);
  TouchedRange large_ = {};

protected:
  const TouchedTable table_{entries_.data(), large_};
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
  constexpr U64 kLarge = 1 << 20;
  table_.note(kBlock, kLarge);
  EXPECT_TRUE(table_.has(kBlock + kLarge - 8, 8));
  EXPECT_FALSE(table_.has(kBlock + kLarge, 8));
  EXPECT_FALSE(table_.has(kBlock - 8, 8));
}

TEST_F(Touched, LinesThatShareAnEntryAreBothTouchedForGood) {
  U64 other = kBlock + kLineBytes;
  auto entry = [](U64 at) { return at / kLineBytes * 0x9e3779b97f4a7c15 >> (64 - kTouchedBits); };
  while (entry(other) != entry(kBlock)) other += kLineBytes;
  table_.note(kBlock, 8);
  table_.note(other, 8);
  table_.clear(kBlock, 8);
  EXPECT_TRUE(table_.has(kBlock, 8));
  EXPECT_TRUE(table_.has(other, 8));
}

} // namespace
} // namespace deadheat::runtime
