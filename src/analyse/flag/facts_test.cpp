#include "analyse/flag/facts.h"

#include <algorithm>

#include "gtest/gtest.h"

namespace deadheat::analyse {
namespace {

constexpr int64_t kNumbers[] = {0, 1, 2, 3};

bool holds(const Fact &fact, int64_t number) { return fact.equal == (fact.number == number); }

std::vector<Fact> allFacts() {
  std::vector<Fact> all;
  for (int64_t number : {0, 1, 2})
    for (bool equal : {false, true}) all.push_back({equal, number});
  return all;
}

TEST(Facts, ContradictOnlyIfNoNumberSatisfiesBoth) {
  for (const Fact &a : allFacts())
    for (const Fact &b : allFacts()) {
      bool both = std::ranges::any_of(kNumbers, [&](int64_t number) { return holds(a, number) && holds(b, number); });
      EXPECT_EQ(contradict(a, b), !both);
    }
}

TEST(Facts, WhatBothKnowHoldsForWhateverOneOfThemAllows) {
  for (const Fact &a : allFacts())
    for (const Fact &b : allFacts())
      for (int64_t number : kNumbers)
        if (std::optional<Fact> both = meet(a, b); both && (holds(a, number) || holds(b, number)))
          EXPECT_TRUE(holds(*both, number));
}

TEST(Facts, AFactThatOnlyOneSideKnowsIsLost) {
  Facts facts, other;
  facts.set(FlagId(1), {true, 4});
  facts.set(FlagId(2), {true, 5});
  other.set(FlagId(2), {true, 5});
  EXPECT_TRUE(meetWith(facts, other));
  EXPECT_EQ(facts, other);
  EXPECT_FALSE(meetWith(facts, other));
}

TEST(Facts, ATestTellsNothingThatItsOutcomeAllowsToBeFalse) {
  using model::Predicate;
  auto isTrue = [](Predicate predicate, int64_t a, int64_t b) {
    const bool outcomes[] = {a == b, a != b, a<b, a <= b, a> b, a >= b};
    return outcomes[static_cast<size_t>(predicate)];
  };
  for (uint8_t row = 0; row < static_cast<uint8_t>(Predicate::Unknown); ++row)
    for (int64_t bound : {-2, -1, 0, 1, 2})
      for (int64_t number : {-2, -1, 0, 1, 2}) {
        auto predicate = static_cast<Predicate>(row);
        EXPECT_NE(isTrue(predicate, number, bound), isTrue(opposite(predicate), number, bound));
        if (std::optional<Fact> fact = factFrom(predicate, bound); fact && isTrue(predicate, number, bound))
          EXPECT_TRUE(holds(*fact, number));
      }
}

} // namespace
} // namespace deadheat::analyse
