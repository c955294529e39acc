#include "analyse/rank/reach.h"

#include "gtest/gtest.h"

#include "analyse/test_world.h"

namespace deadheat::analyse {
namespace {

using link::UnitBuilder;

TEST(Reach, CountsTheCallsOnTheWay) {
  UnitBuilder unit("a.c");
  auto inner = unit.define("inner");
  unit.ret();
  auto outer = unit.define("outer");
  unit.call(inner, {});
  unit.ret();
  unit.define("main", 0, "i32()");
  unit.call(outer, {});
  unit.ret();
  Analysed analysed(unit);
  Reach reach(*analysed.world);
  Way way = reach.to(analysed.thread("main"), analysed.program.function("inner"));
  EXPECT_EQ(way.bits, 0);
  EXPECT_EQ(way.depth, 2u);
  EXPECT_TRUE(way.isLikely);
}

TEST(Reach, TellsThatAThreadDoesNotGetThere) {
  UnitBuilder unit("a.c");
  unit.define("alone");
  unit.ret();
  unit.define("main", 0, "i32()");
  unit.ret();
  Analysed analysed(unit);
  Reach reach(*analysed.world);
  EXPECT_FALSE(reach.to(analysed.thread("main"), analysed.program.function("alone")).isReached());
}

TEST(Reach, MeasuresHowWideTheCallsOfTheWayAre) {
  Table table(4);
  table.unit.define("main", 1, "i32(i64)");
  table.callAny(v(link::ValueId(0)));
  table.unit.ret();
  Analysed analysed(table.unit);
  Reach reach(*analysed.world);
  EXPECT_EQ(reach.to(analysed.thread("main"), analysed.program.function("f2")).bits, 2);
}

TEST(Reach, PrefersTheNarrowerWayThoughItIsLonger) {
  Table table(3);
  auto second = table.unit.declare("f2", "void(i64)");
  auto first = table.unit.define("detour", 0);
  table.unit.call(second, {n(0)});
  table.unit.ret();
  table.unit.define("main", 1, "i32(i64)");
  table.callAny(v(link::ValueId(0)));
  table.unit.call(first, {});
  table.unit.ret();
  Analysed analysed(table.unit);
  Reach reach(*analysed.world);
  Way way = reach.to(analysed.thread("main"), analysed.program.function("f2"));
  EXPECT_EQ(way.bits, 0);
  EXPECT_EQ(way.depth, 2u);
}

} // namespace
} // namespace deadheat::analyse
