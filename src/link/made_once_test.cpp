#include "link/made_once.h"

#include "gtest/gtest.h"

#include "link/test_program.h"

namespace deadheat::link {
namespace {

Operand v(ValueId id) { return Operand::value(id); }
Operand n(int64_t number) { return Operand::number(number); }

struct Makers {
  UnitBuilder unit{"a.c"};
  SymbolId malloc = unit.declare("malloc", "ptr(i64)");

  ValueId make() { return unit.call(malloc, {n(64)}); }
};

bool isMadeOnce(UnitBuilder &unit, std::string_view function, ValueId block) {
  TestProgram program(unit);
  std::optional<Place> place = program->pointsTo.single(program.at(function, block));
  return place && program->madeOnce[place->object.value()];
}

TEST(MadeOnce, WhatMainMakesIsOne) {
  Makers p;
  p.unit.define("main", 0, "i32()");
  ValueId block = p.make();
  p.unit.ret(n(0));
  EXPECT_TRUE(isMadeOnce(p.unit, "main", block));
}

TEST(MadeOnce, WhatAFunctionMakesThatIsCalledTwiceIsNot) {
  Makers p;
  SymbolId begin = p.unit.define("begin", 0, "void()");
  ValueId block = p.make();
  p.unit.ret(n(0));
  p.unit.define("main", 0, "i32()");
  p.unit.call(begin, {});
  p.unit.call(begin, {});
  p.unit.ret(n(0));
  EXPECT_FALSE(isMadeOnce(p.unit, "begin", block));
}

TEST(MadeOnce, AnArrayIsNotThoughAMemberMayBeOne) {
  for (int64_t member : {0, 16}) {
    Makers p;
    p.unit.define("main", 1, "i32(i32)");
    ValueId block = p.make();
    ValueId array = p.unit.field(v(block), member);
    p.unit.store(v(p.unit.index(v(array), v(ValueId(0)), 8)), n(1));
    p.unit.ret(n(0));
    EXPECT_EQ(isMadeOnce(p.unit, "main", block), member != 0) << member;
  }
}

} // namespace
} // namespace deadheat::link
