#include "link/modes.h"

#include "gtest/gtest.h"

#include "link/test_program.h"

namespace deadheat::link {
namespace {

using model::Predicate;

Operand v(uint32_t value) { return Operand::value(ValueId(value)); }
Operand n(int64_t number) { return Operand::number(number); }

// `if (a) { change } if (b) ... else ...`: both tests, of parameters.
struct TwoTests {
  TwoTests(uint32_t first, Predicate before, int64_t than, uint32_t second, Predicate after, int64_t than2) {
    unit.define("main", 2, "i32(i32,i32)");
    unit.branch(1, 2, v(first), n(than), before);
    unit.block();
    unit.jump(2);
    change = unit.last();
    unit.block();
    unit.branch(3, 4, v(second), n(than2), after);
    for (int i = 0; i < 2; ++i) {
      unit.block();
      unit.ret(n(0));
    }
  }

  // Through the first test by `edge`, to the second and on by `edge2`.
  bool goesOn(uint32_t edge, uint32_t edge2) {
    if (!program) program.emplace(unit);
    Code code{(*program)->units, (*program)->symbols};
    auto isChange = [&](model::StatementId at) { return at == change; };
    Modes modes(code, (*program)->calls, program->function("main"), isChange, nullptr);
    std::optional<uint32_t> state = modes.along(0, 0, edge);
    return state && modes.along(*state, 2, edge2);
  }

  UnitBuilder unit{"a.c"};
  model::StatementId change;
  std::optional<TestProgram> program;
};

TEST(Modes, TheSameTestSaysTheSameAgain) {
  TwoTests tests(0, Predicate::Greater, 0, 0, Predicate::Greater, 0);
  EXPECT_TRUE(tests.goesOn(0, 0));
  EXPECT_FALSE(tests.goesOn(0, 1));
  EXPECT_FALSE(tests.goesOn(1, 0));
  EXPECT_TRUE(tests.goesOn(1, 1));
}

TEST(Modes, WhatIsAboveANumberIsNotThatNumber) {
  TwoTests tests(0, Predicate::Greater, 0, 0, Predicate::Equal, 0);
  EXPECT_FALSE(tests.goesOn(0, 0));
  EXPECT_TRUE(tests.goesOn(0, 1));
  EXPECT_TRUE(tests.goesOn(1, 0));
  EXPECT_TRUE(tests.goesOn(1, 1)); // below it
}

TEST(Modes, AnEqualNumberDecidesWhatIsLess) {
  TwoTests tests(0, Predicate::NotEqual, 3, 0, Predicate::Less, 4);
  EXPECT_TRUE(tests.goesOn(0, 0));
  EXPECT_TRUE(tests.goesOn(0, 1));
  EXPECT_TRUE(tests.goesOn(1, 0));
  EXPECT_FALSE(tests.goesOn(1, 1));
}

TEST(Modes, AnotherValueDecidesNothing) {
  TwoTests tests(0, Predicate::Greater, 0, 1, Predicate::Greater, 0);
  for (uint32_t first : {0u, 1u})
    for (uint32_t second : {0u, 1u}) EXPECT_TRUE(tests.goesOn(first, second));
}

} // namespace
} // namespace deadheat::link
