#include "analyse/order.h"

#include "gtest/gtest.h"

#include "analyse/test_world.h"

namespace deadheat::analyse {
namespace {

using link::TestProgram;
using link::UnitBuilder;

uint32_t componentOf(const TestProgram &program, const CallOrder &order, std::string_view function) {
  return order.componentOf[program.function(function).value()];
}

TEST(Order, PutsCalleesBeforeTheirCallers) {
  UnitBuilder unit("a.c");
  auto last = unit.define("last");
  unit.ret();
  auto middle = unit.define("middle");
  unit.call(last, {});
  unit.ret();
  unit.define("first");
  unit.call(middle, {});
  unit.ret();
  TestProgram program(unit);
  CallOrder order = orderCalls(*program);
  EXPECT_LT(componentOf(program, order, "last"), componentOf(program, order, "middle"));
  EXPECT_LT(componentOf(program, order, "middle"), componentOf(program, order, "first"));
  EXPECT_FALSE(order.recursive[componentOf(program, order, "middle")]);
}

TEST(Order, KeepsFunctionsThatCallEachOtherTogether) {
  UnitBuilder unit("a.c");
  auto odd = unit.declare("odd");
  unit.define("even");
  unit.call(odd, {});
  unit.ret();
  UnitBuilder other("b.c");
  auto even = other.declare("even");
  other.define("odd");
  other.call(even, {});
  other.ret();
  TestProgram program(unit, other);
  CallOrder order = orderCalls(*program);
  EXPECT_EQ(componentOf(program, order, "even"), componentOf(program, order, "odd"));
  EXPECT_TRUE(order.recursive[componentOf(program, order, "even")]);
}

TEST(Order, KnowsAFunctionThatCallsItself) {
  UnitBuilder unit("a.c");
  auto self = unit.declare("self");
  unit.define("caller");
  unit.call(self, {});
  unit.ret();
  UnitBuilder other("b.c");
  auto again = other.declare("self");
  other.define("self");
  other.call(again, {});
  other.ret();
  TestProgram program(unit, other);
  CallOrder order = orderCalls(*program);
  EXPECT_TRUE(order.recursive[componentOf(program, order, "self")]);
  EXPECT_FALSE(order.recursive[componentOf(program, order, "caller")]);
}

TEST(Order, CutsALargeComponentAtCallsThroughPointers) {
  Table table(kMaxComponent + 1);
  TestProgram program(table.unit);
  CallOrder order = orderCalls(*program);
  EXPECT_EQ(order.cut, kMaxComponent + 1);
  EXPECT_NE(componentOf(program, order, "f0"), componentOf(program, order, "f1"));
  EXPECT_TRUE(order.blind[program.function("f7").value()]);
}

TEST(Order, CutsNoComponentUpToTheBound) {
  Table table(kMaxComponent);
  TestProgram program(table.unit);
  CallOrder order = orderCalls(*program);
  EXPECT_EQ(order.cut, 0u);
  EXPECT_EQ(componentOf(program, order, "f0"), componentOf(program, order, "f1"));
  EXPECT_FALSE(order.blind[program.function("f7").value()]);
}

} // namespace
} // namespace deadheat::analyse
