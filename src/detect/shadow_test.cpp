#include "detect/shadow.h"

#include <gtest/gtest.h>

namespace deadheat::detect {
namespace {

// All of one part of memory, so of one shard.
constexpr uint64_t kFirst = 0, kSecond = kPageBytes, kThird = 2 * kPageBytes;

class ShadowPages : public testing::Test {
protected:
  void forget(uint64_t page) {
    shadow_.forget(page, page + kPageBytes, [](int &, uint64_t) {});
  }

  bool remembers(uint64_t page) {
    bool found = false;
    shadow_.forget(page, page + 1, [&](const int &cell, uint64_t) { found = cell != 0; });
    return found;
  }

  Shadow<int> shadow_{2, shardOf(partOf(kFirst))};
};

TEST_F(ShadowPages, TheOldestIsForgottenFirst) {
  for (uint64_t page : {kFirst, kSecond, kThird}) shadow_.cell(page) = 1;
  EXPECT_FALSE(remembers(kFirst));
  EXPECT_TRUE(remembers(kSecond));
  EXPECT_TRUE(remembers(kThird));
  EXPECT_EQ(shadow_.evicted(), 1u);
}

// As where a block is freed and its memory given out again.
TEST_F(ShadowPages, OneThatWasForgottenAndMadeAgainIsYoung) {
  shadow_.cell(kFirst) = 1;
  shadow_.cell(kSecond) = 1;
  forget(kFirst);
  shadow_.cell(kFirst) = 1;
  shadow_.cell(kThird) = 1;
  EXPECT_TRUE(remembers(kFirst));
  EXPECT_FALSE(remembers(kSecond));
  EXPECT_TRUE(remembers(kThird));
}

// It is looked through whenever it is too long: entries of pages that are gone must leave it, also where the page is there again.
TEST_F(ShadowPages, WhatIsRememberedOfTheirAgeDoesNotGrowWithTheRun) {
  for (int round = 0; round != 20000; ++round) {
    shadow_.cell(kFirst) = 1;
    forget(kFirst);
  }
  EXPECT_LT(shadow_.agesKept(), 10000u);
}

} // namespace
} // namespace deadheat::detect
