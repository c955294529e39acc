#include "link/call_graph.h"

#include "gtest/gtest.h"

#include "link/test_program.h"

namespace deadheat::link {
namespace {

Operand v(ValueId id) { return Operand::value(id); }
Operand s(SymbolId id) { return Operand::symbol(id); }

SymbolId emptyFunction(UnitBuilder &unit, std::string_view name, std::string_view signature, uint32_t parameters = 0) {
  SymbolId symbol = unit.define(name, parameters, signature);
  unit.ret();
  unit.flag(symbol, model::kAddressTaken);
  return symbol;
}

TEST(CallGraph, TableOfFunctionsLeadsToThoseInTheField) {
  UnitBuilder unit("a.c");
  SymbolId open = emptyFunction(unit, "my_open", "i32(ptr)", 1), close = emptyFunction(unit, "my_close", "i32(ptr)", 1);
  SymbolId ops = unit.variable("ops", 16, Linkage::External, "struct ops"), file = unit.variable("file", 8);
  unit.initialise(ops, 0, open);
  unit.initialise(ops, 8, close);
  unit.define("f");
  ValueId callee = unit.load(v(unit.field(s(ops), 8)));
  unit.call(v(callee), {s(file)}, "i32(ptr)");
  unit.ret();
  TestProgram program(unit);
  EXPECT_EQ(program.callees("f"), Names{"my_close"});
  EXPECT_EQ(program.places("my_close", ValueId(0)), Names{"file"});
  EXPECT_EQ(program->gaps.count(GapKind::OpenCallTarget), 0u);
}

TEST(CallGraph, SignatureTellsFunctionsInOneSlotApart) {
  UnitBuilder unit("a.c");
  SymbolId right = emptyFunction(unit, "right", "i32(ptr)", 1), wrong = emptyFunction(unit, "wrong", "void(i64)", 1);
  SymbolId slot = unit.variable("slot", 8);
  unit.define("f");
  unit.store(s(slot), s(right));
  unit.store(s(slot), s(wrong));
  unit.call(v(unit.load(s(slot))), {Operand::number(0)}, "i32(ptr)");
  unit.ret();
  TestProgram program(unit);
  EXPECT_EQ(program.callees("f"), Names{"right"});
}

TEST(CallGraph, PointerHandedOnThroughCallsIsFollowedToAFixedPoint) {
  UnitBuilder unit("a.c");
  SymbolId last = emptyFunction(unit, "last", "void()");
  SymbolId middle = unit.define("middle", 1, "void(ptr)");
  unit.call(v(ValueId(0)), {}, "void()");
  unit.ret();
  unit.define("f");
  ValueId callee = unit.stack(8);
  unit.store(v(callee), s(middle));
  unit.call(v(unit.load(v(callee))), {s(last)}, "void(ptr)");
  unit.ret();
  TestProgram program(unit);
  EXPECT_EQ(program.callees("f"), Names{"middle"});
  EXPECT_EQ(program.callees("middle"), Names{"last"});
}

class Callback : public testing::TestWithParam<const char *> {};
INSTANTIATE_TEST_SUITE_P(KnownOrNot, Callback, testing::Values("qsort", "sort_with"));

TEST_P(Callback, FunctionHandedToALibraryIsCalledThereWithTheArguments) {
  UnitBuilder unit("a.c");
  SymbolId qsort = unit.declare(GetParam(), "void(ptr,i64,i64,ptr)"), table = unit.variable("table", 80);
  SymbolId compare = emptyFunction(unit, "compare", "i32(ptr,ptr)", 2);
  unit.define("f");
  unit.call(qsort, {s(table), Operand::number(10), Operand::number(8), s(compare)});
  unit.ret();
  TestProgram program(unit);
  EXPECT_EQ(program.callees("f"), (Names{"compare", GetParam()}));
  EXPECT_EQ(program.places("compare", ValueId(1)), (Names{"compare", "table"}));
}

TEST(CallGraph, CallThroughAPointerFromOutsideIsOpenAndReachesFunctionsOfItsType) {
  UnitBuilder unit("a.c");
  emptyFunction(unit, "candidate", "void(ptr)", 1);
  emptyFunction(unit, "other", "void(i64)", 1);
  SymbolId dlsym = unit.declare("dlsym", "ptr(ptr,ptr)");
  unit.define("f");
  ValueId callee = unit.call(dlsym, {Operand::number(0), Operand::number(0)});
  unit.call(v(callee), {Operand::number(0)}, "void(ptr)");
  unit.ret();
  TestProgram program(unit);
  EXPECT_EQ(program.callees("f", 1), Names{"candidate"});
  EXPECT_EQ(program->gaps.count(GapKind::OpenCallTarget), 1u);
}

TEST(CallGraph, WhatPluginsExportIsFoundByName) {
  UnitBuilder host("host.c"), first("first.c"), second("second.c");
  SymbolId dlsym = host.declare("dlsym", "ptr(ptr,ptr)");
  host.define("f");
  ValueId callee = host.call(dlsym, {Operand::number(0), Operand::number(0)});
  host.call(v(callee), {}, "i32()");
  host.ret();
  for (UnitBuilder *plugin : {&first, &second}) {
    SymbolId start = plugin->define("plugin_start", 0, "i32()");
    plugin->flag(start, model::kInterposable);
    plugin->ret();
    plugin->define("helper", 0, "i32()", Linkage::Internal);
    plugin->ret();
  }
  std::vector<Binary> binaries(3);
  binaries[0] = {"host", unitsOf(host)};
  binaries[1] = {"first.so", unitsOf(first), true};
  binaries[2] = {"second.so", unitsOf(second), true};
  TestProgram program(std::move(binaries));
  EXPECT_EQ(program.callees("f", 1), (Names{"plugin_start", "plugin_start"})) << "each plugin has its own";
}

TEST(CallGraph, CallThroughAPointerThatNothingReachesIsAGapWithItsPlace) {
  UnitBuilder unit("a.c");
  unit.define("f", 1, "void(ptr)");
  unit.call(v(ValueId(0)), {}, "void()");
  uint32_t line = unit.line();
  unit.ret();
  TestProgram program(unit);
  ASSERT_EQ(program->gaps.list().size(), 1u);
  EXPECT_EQ(program->gaps.list()[0].line, line);
  EXPECT_EQ(program->gaps.list()[0].file, "a.c");
}

struct Shapes {
  UnitBuilder unit{"shapes.cpp"};
  SymbolId circleArea = emptyFunction(unit, "_ZN6Circle4areaEv", "void(ptr)", 1);
  SymbolId squareArea = emptyFunction(unit, "_ZN6Square4areaEv", "void(ptr)", 1);
  SymbolId otherArea = emptyFunction(unit, "_ZN5Other4areaEv", "void(ptr)", 1);
  SymbolId circle = unit.variable("_ZTV6Circle", 32, Linkage::Weak, "", model::kConstant);
  SymbolId square = unit.variable("_ZTV6Square", 32, Linkage::Weak, "", model::kConstant);
  SymbolId other = unit.variable("_ZTV5Other", 32, Linkage::Weak, "", model::kConstant);

  Shapes() {
    unit.initialise(circle, 24, circleArea);
    unit.initialise(square, 24, squareArea);
    unit.initialise(other, 24, otherArea);
    unit.inherit("Circle", "Shape");
    unit.inherit("Square", "Shape");
  }

  void callArea(Operand object) {
    ValueId table = unit.load(object);
    ValueId callee = unit.load(v(unit.field(v(table), 8)));
    unit.call(v(callee), {object}, "Shape", model::kVirtual, 8);
  }
};

TEST(CallGraph, VirtualCallOnAnUnknownObjectReachesAllDerivedClasses) {
  Shapes shapes;
  shapes.unit.define("f", 1, "void(ptr)");
  shapes.callArea(v(ValueId(0)));
  shapes.unit.ret();
  TestProgram program(shapes.unit);
  EXPECT_EQ(program.callees("f"), (Names{"_ZN6Circle4areaEv", "_ZN6Square4areaEv"}));
  EXPECT_EQ(program->gaps.count(GapKind::OpenCallTarget), 0u);
}

TEST(CallGraph, VirtualCallOnAKnownObjectReachesItsClassOnly) {
  Shapes shapes;
  SymbolId made = shapes.unit.variable("made", 16, Linkage::External, "Circle");
  shapes.unit.define("f");
  shapes.unit.store(s(made), v(shapes.unit.field(s(shapes.circle), 16)));
  shapes.callArea(s(made));
  shapes.unit.ret();
  TestProgram program(shapes.unit);
  EXPECT_EQ(program.callees("f"), Names{"_ZN6Circle4areaEv"});
}

TEST(CallGraph, ComponentsComeCalleesFirstAndRecursionIsMarked) {
  UnitBuilder unit("a.c");
  SymbolId even = unit.declare("even");
  SymbolId leaf = emptyFunction(unit, "leaf", "void()");
  unit.define("odd");
  unit.call(even, {});
  unit.call(leaf, {});
  unit.ret();
  UnitBuilder other("b.c");
  SymbolId oddThere = other.declare("odd");
  other.define("even");
  other.call(oddThere, {});
  other.ret();
  TestProgram program(unit, other);
  const CallGraph &calls = program->calls;
  ComponentId together = calls.componentOf[program.function("odd").value()];
  EXPECT_EQ(together, calls.componentOf[program.function("even").value()]);
  EXPECT_TRUE(calls.recursive[together.value()]);
  EXPECT_LT(calls.componentOf[program.function("leaf").value()], together);
  EXPECT_FALSE(calls.recursive[calls.componentOf[program.function("leaf").value()].value()]);
}

TEST(CallGraph, CallersAreTheSitesThatCall) {
  UnitBuilder unit("a.c");
  SymbolId callee = emptyFunction(unit, "callee", "void()");
  unit.define("f");
  unit.call(callee, {});
  unit.ret();
  TestProgram program(unit);
  ASSERT_EQ(program->calls.callers[program.function("callee")].size(), 1u);
  EXPECT_EQ(program->calls.sites[program->calls.callers[program.function("callee")][0]].caller, program.function("f"));
}

} // namespace
} // namespace deadheat::link
