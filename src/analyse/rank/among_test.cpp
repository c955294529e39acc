#include "analyse/rank/among.h"

#include "gtest/gtest.h"

namespace deadheat::analyse {
namespace {

Ranked scored(uint32_t variable, double score) {
  Ranked one;
  one.variable = {variable, 0, 0};
  one.finding.score = score;
  return one;
}

std::vector<Ranked> weakOnes(uint32_t count) {
  std::vector<Ranked> found;
  for (uint32_t i = 0; i < count; ++i) found.push_back(scored(i, kWeakScore - 1));
  return found;
}

Ranked strong() {
  Ranked one = scored(1000, kWeakScore);
  one.isNamed = true;
  return one;
}

TEST(Among, ManyVariablesWithWeakFindingsAloneAreDemoted) {
  std::vector<Ranked> found = weakOnes(kManyWeak);
  found.push_back(strong());
  demoteWeak(found);
  for (const Ranked &one : found) EXPECT_EQ(one.finding.demotions.empty(), one.isNamed);
}

TEST(Among, TheBestFewVariablesAreShownWhereNothingBetterIs) {
  std::vector<Ranked> found = weakOnes(kManyWeak);
  for (uint32_t variable : {3U, 5U, 7U, 9U}) found[variable].finding.score += 0.1 * variable;
  demoteWeak(found);
  for (uint32_t i = 0; i < kManyWeak; ++i) EXPECT_EQ(found[i].finding.demotions.empty(), i == 5 || i == 7 || i == 9);
}

TEST(Among, WhatHasHardlyAnyScoreIsNotShownForWantOfOthers) {
  std::vector<Ranked> found = weakOnes(kManyWeak);
  for (Ranked &one : found) one.finding.score = kFewScore - 0.1;
  demoteWeak(found);
  for (const Ranked &one : found) EXPECT_EQ(one.finding.demotions.size(), 1u);
}

TEST(Among, AFewWeakFindingsMayBeAllThatAProgramHasForgotten) {
  std::vector<Ranked> found = weakOnes(kManyWeak - 1);
  found.push_back(scored(0, 1.0)); // the same variable again
  demoteWeak(found);
  for (const Ranked &one : found) EXPECT_TRUE(one.finding.demotions.empty());
}

TEST(Among, AFindingForWhichNothingSpeaksIsDemotedAlone) {
  std::vector<Ranked> found = {scored(1, 0.1), scored(2, 1.0)};
  demoteWeak(found);
  EXPECT_EQ(found[0].finding.demotions.size(), 1u);
  EXPECT_TRUE(found[1].finding.demotions.empty());
}

TEST(Among, AStrongFindingSpeaksForTheWeakOnesOfItsVariable) {
  std::vector<Ranked> found = weakOnes(kManyWeak);
  found.push_back(scored(100, kWeakScore));
  found.push_back(scored(100, 1.0));
  demoteWeak(found);
  EXPECT_TRUE(found[kManyWeak].finding.demotions.empty());
  EXPECT_TRUE(found[kManyWeak + 1].finding.demotions.empty());
}

TEST(Among, VariablesWithANameAreNotTakenForOneAnother) {
  std::vector<Ranked> found = weakOnes(2 * kManyWeak);
  for (Ranked &one : found) one.isNamed = true;
  demoteWeak(found);
  for (const Ranked &one : found) EXPECT_TRUE(one.finding.demotions.empty());
}

TEST(Among, WhatIsDemotedAlreadyCountsButNotIfItIsTheLibrarys) {
  for (bool isLibrary : {false, true}) {
    std::vector<Ranked> found = weakOnes(kManyWeak);
    found.push_back(strong());
    found[0].finding.demotions = {{"unshared", ""}};
    found[0].isLibrary = isLibrary;
    demoteWeak(found);
    EXPECT_EQ(found[0].finding.demotions.size(), 1u);
    EXPECT_EQ(found[1].finding.demotions.empty(), isLibrary);
  }
}

TEST(Among, TheSecondPairOfAVariableComesAfterTheFirstOfAnother) {
  std::vector<Ranked> found = {scored(1, 5.0), scored(1, 4.9), scored(2, 4.8)};
  spread(found);
  EXPECT_LT(found[1].finding.score, found[2].finding.score);
  EXPECT_EQ(found[0].finding.score, 5.0);
}

TEST(Among, TheSecondFieldOfOneCopyComesAfterWeakerFindings) {
  std::vector<Ranked> found = {scored(1, 5.0), scored(2, 5.0), scored(3, 4.1)};
  found[0].copy = found[1].copy = VariableKey(9, 9, 9);
  spread(found);
  EXPECT_EQ(found[0].finding.score, 5.0);
  EXPECT_LT(found[1].finding.score, found[2].finding.score);
}

} // namespace
} // namespace deadheat::analyse
