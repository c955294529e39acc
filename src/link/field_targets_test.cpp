#include "link/field_targets.h"

#include <algorithm>

#include "gtest/gtest.h"

#include "link/test_program.h"

namespace deadheat::link {
namespace {

Operand v(ValueId id) { return Operand::value(id); }
Operand s(SymbolId id) { return Operand::symbol(id); }

SymbolId taken(UnitBuilder &unit, std::string_view name) {
  SymbolId symbol = unit.define(name, 1, "void(ptr)");
  unit.ret();
  unit.flag(symbol, model::kAddressTaken);
  return symbol;
}

// Points-to cannot tell the members of `pool` apart: it is reached at any offset.
struct Pool {
  UnitBuilder unit{"a.c"};
  SymbolId close = taken(unit, "my_close"), release = taken(unit, "my_free");
  SymbolId pool = unit.variable("pool", 8);

  Pool() { unit.define("f", 1, "void(ptr)"); }
  ValueId any() { return unit.load(s(pool)); }
  void put(Operand function, std::string_view type, std::string_view field) {
    unit.store(v(any()), function);
    if (!type.empty()) unit.named("x->" + std::string(field), type, field);
  }
  ValueId get(std::string_view type, std::string_view field) {
    ValueId found = unit.load(v(any()));
    unit.named("x->" + std::string(field), type, field);
    return found;
  }
  void call(ValueId callee) { unit.call(v(callee), {v(ValueId(0))}, "void(ptr)"); }
  Names callees() {
    unit.ret();
    TestProgram program(unit);
    return program.callees("f");
  }
};

TEST(FieldTargets, CallThroughAMemberReachesWhatWasPutIntoThatMember) {
  Pool pool;
  pool.put(s(pool.close), "struct ops", "close");
  pool.put(s(pool.release), "struct list", "free");
  pool.call(pool.get("struct list", "free"));
  EXPECT_EQ(pool.callees(), Names{"my_free"});
}

TEST(FieldTargets, TaskOfAFutureIsWhatAFunctionOfItsKindHolds) {
  constexpr std::string_view kSetsResult = "_ZNSt13__future_base13_State_baseV213_M_set_resultESt8functionIFSt10unique_"
                                           "ptrINS_12_Result_baseENS3_8_DeleterEEvEEb";
  constexpr std::string_view kFunction =
      "std::function<std::unique_ptr<std::__future_base::_Result_base, std::__future_base::_Result_base::_Deleter> ()>";
  Pool pool;
  SymbolId setsResult = pool.unit.declare(kSetsResult, "void(ptr,ptr,i1)");
  for (SymbolId function : {pool.close, pool.release}) {
    const bool isTask = function == pool.close;
    pool.unit.store(v(pool.unit.field(v(pool.any()), 24)), s(function));
    pool.unit.named(isTask ? "x->_M_invoker" : "x->free", isTask ? kFunction : "struct list",
                    isTask ? "_M_invoker" : "free");
  }
  pool.unit.call(s(setsResult), {v(ValueId(0)), v(pool.any()), Operand::number(0)});
  Names callees = pool.callees();
  EXPECT_NE(std::ranges::find(callees, "my_close"), callees.end());
  EXPECT_EQ(std::ranges::find(callees, "my_free"), callees.end());
}

TEST(FieldTargets, WithoutNamesAllThatFlowsIsReached) {
  Pool pool;
  pool.put(s(pool.close), "", "");
  pool.put(s(pool.release), "", "");
  pool.call(pool.any());
  pool.call(pool.unit.load(v(pool.any())));
  pool.unit.ret();
  TestProgram program(pool.unit);
  EXPECT_EQ(program.callees("f", 1), (Names{"my_close", "my_free"}));
}

TEST(FieldTargets, FunctionThatIsSomewhereWithoutANameMayBeAnywhere) {
  Pool pool;
  pool.put(s(pool.close), "", "");
  pool.put(s(pool.release), "struct list", "free");
  pool.call(pool.get("struct list", "free"));
  EXPECT_EQ(pool.callees(), (Names{"my_close", "my_free"}));
}

TEST(FieldTargets, MemberThatIsCopiedIntoAnotherBringsItsFunctions) {
  Pool pool;
  pool.put(s(pool.close), "struct ops", "close");
  pool.put(s(pool.release), "struct list", "free");
  pool.put(v(pool.get("struct ops", "close")), "struct list", "free");
  pool.call(pool.get("struct list", "free"));
  EXPECT_EQ(pool.callees(), (Names{"my_close", "my_free"}));
}

TEST(FieldTargets, MemberThatIsFilledFromANamelessPlaceIsNotNarrowed) {
  Pool pool;
  pool.put(s(pool.close), "struct ops", "close");
  pool.put(s(pool.release), "struct list", "free");
  pool.put(v(pool.unit.load(v(pool.any()))), "struct list", "free");
  pool.call(pool.get("struct list", "free"));
  EXPECT_EQ(pool.callees(), (Names{"my_close", "my_free"}));
}

TEST(FieldTargets, ParameterThatIsStoredInAMemberBringsTheArgumentsOfAllCalls) {
  Pool pool;
  UnitBuilder &unit = pool.unit;
  pool.put(s(pool.close), "struct ops", "close");
  SymbolId set = unit.declare("set", "void(ptr)");
  unit.call(set, {s(pool.release)});
  pool.call(pool.get("struct list", "free"));
  unit.ret();
  unit.define("set", 1, "void(ptr)");
  unit.store(v(unit.load(s(pool.pool))), v(ValueId(0)));
  unit.named("x->free", "struct list", "free");
  unit.ret();
  TestProgram program(unit);
  EXPECT_EQ(program.callees("f", 1), Names{"my_free"});
}

TEST(FieldTargets, RecordInAVariableHasItsMembersFromWhereItIsAssignedAsAWhole) {
  Pool pool;
  UnitBuilder &unit = pool.unit;
  SymbolId table = unit.variable("table", 16, Linkage::Internal, "struct ops");
  SymbolId config = unit.variable("config", 32, Linkage::Internal, "struct config");
  unit.initialise(table, 8, pool.close);
  pool.put(s(table), "struct file", "ops");
  pool.put(s(pool.release), "struct list", "free");
  unit.transfer(v(unit.field(s(config), 16)), v(pool.any()), 16);
  unit.named("config.ops", "struct config", "ops");
  ValueId callee = unit.load(v(unit.field(s(config), 16 + 8)));
  unit.named("config.ops.close", "struct ops", "close");
  pool.call(callee);
  EXPECT_EQ(pool.callees(), Names{"my_close"});
}

TEST(FieldTargets, TableIsReadByTheMembersOfItsType) {
  Pool pool;
  UnitBuilder &unit = pool.unit;
  SymbolId table = unit.variable("table", 32, Linkage::Internal, "struct ops[2]");
  unit.initialise(table, 16 + 8, pool.close); // the second one's `close`
  pool.put(s(table), "struct file", "ops");
  pool.put(s(pool.release), "struct list", "free");
  ValueId ops = pool.get("struct file", "ops");
  ValueId callee = unit.load(v(unit.field(v(ops), 8)));
  unit.named("x->ops->close", "struct ops", "close");
  pool.call(callee);
  EXPECT_EQ(pool.callees(), Names{"my_close"});
}

TEST(FieldTargets, WhatALibraryMadeLeavesTheCallOpen) {
  Pool pool;
  UnitBuilder &unit = pool.unit;
  ValueId made = unit.call(unit.declare("make_callback", "ptr()"), {});
  pool.put(v(made), "struct list", "free");
  pool.put(s(pool.release), "struct list", "free");
  pool.call(pool.get("struct list", "free"));
  unit.ret();
  TestProgram program(unit);
  EXPECT_EQ(program.callees("f", 1), Names{"my_free"});
  EXPECT_EQ(program->gaps.count(GapKind::OpenCallTarget), 1u);
}

} // namespace
} // namespace deadheat::link
