#include "link/points_to.h"

#include "gtest/gtest.h"

#include "link/test_program.h"

namespace deadheat::link {
namespace {

Operand v(ValueId id) { return Operand::value(id); }
Operand s(SymbolId id) { return Operand::symbol(id); }

TEST(PointsTo, FieldOfAVariableIsThatPlaceInIt) {
  UnitBuilder unit("a.c");
  SymbolId state = unit.variable("state", 64, Linkage::External, "struct state");
  unit.define("f");
  ValueId field = unit.field(s(state), 24);
  ValueId same = unit.copy(v(field));
  unit.ret();
  TestProgram program(unit);
  EXPECT_EQ(program.places("f", same), Names{"state+24"});
}

TEST(PointsTo, AStatementWhoseResultNobodyUsesIsPassedOver) {
  UnitBuilder unit("a.c");
  SymbolId state = unit.variable("state", 64, Linkage::External, "struct state");
  unit.define("f");
  unit.phiRow(ValueId(), 0, s(state));
  ValueId same = unit.copy(s(state));
  unit.ret();
  TestProgram program(unit);
  EXPECT_EQ(program.places("f", same), Names{"state"});
}

TEST(PointsTo, LoadGivesWhatWasStoredAtTheSameFieldOnly) {
  UnitBuilder unit("a.c");
  SymbolId object = unit.variable("object", 16, Linkage::External, "struct s");
  SymbolId x = unit.variable("x", 4), y = unit.variable("y", 4);
  unit.define("f");
  unit.store(s(object), s(x));
  unit.store(v(unit.field(s(object), 8)), s(y));
  ValueId first = unit.load(s(object));
  ValueId second = unit.load(v(unit.field(s(object), 8)));
  unit.ret();
  TestProgram program(unit);
  EXPECT_EQ(program.places("f", first), Names{"x"});
  EXPECT_EQ(program.places("f", second), Names{"y"});
}

TEST(PointsTo, HelperDoesNotMergeTheObjectsOfItsCallers) {
  UnitBuilder unit("a.c");
  SymbolId a = unit.variable("a", 8), b = unit.variable("b", 8);
  SymbolId helper = unit.define("helper", 1, "void(ptr)");
  unit.store(v(ValueId(0)), Operand::number(1));
  unit.ret();
  unit.define("f");
  ValueId mine = unit.copy(s(a));
  unit.call(helper, {v(mine)});
  unit.call(helper, {s(b)});
  unit.ret();
  TestProgram program(unit);
  EXPECT_EQ(program.places("helper", ValueId(0)), (Names{"a", "b"}));
  EXPECT_EQ(program.places("f", mine), Names{"a"});
  EXPECT_TRUE(program->pointsTo.mayAlias(program.at("f", mine), 8, program.at("helper", ValueId(0)), 8));
}

TEST(PointsTo, WhatAHelperStoresItsCallerLoads) {
  UnitBuilder unit("a.c");
  SymbolId slot = unit.variable("slot", 32, Linkage::External, "struct s"), x = unit.variable("x", 8);
  SymbolId set = unit.define("set", 2, "void(ptr,ptr)");
  unit.store(v(unit.field(v(ValueId(0)), 8)), v(ValueId(1)));
  unit.ret();
  unit.define("f");
  unit.call(set, {v(unit.field(s(slot), 8)), s(x)});
  ValueId loaded = unit.load(v(unit.field(s(slot), 16)));
  ValueId other = unit.load(v(unit.field(s(slot), 8)));
  unit.ret();
  TestProgram program(unit);
  EXPECT_EQ(program.places("f", loaded), Names{"x"});
  EXPECT_EQ(program.places("f", other), Names{});
}

TEST(PointsTo, ContainerOfLeadsBackToTheObject) {
  UnitBuilder unit("a.c");
  SymbolId head = unit.variable("head", 8), node = unit.variable("node", 48, Linkage::External, "struct node");
  unit.define("f");
  unit.store(s(head), v(unit.field(s(node), 16)));
  ValueId link = unit.load(s(head));
  ValueId object = unit.field(v(link), -16);
  unit.ret();
  TestProgram program(unit);
  EXPECT_EQ(program.places("f", link), Names{"node+16"});
  EXPECT_EQ(program.places("f", object), Names{"node"});
}

TEST(PointsTo, PointerThatWalksStaysInItsArray) {
  UnitBuilder unit("a.c");
  SymbolId table = unit.variable("table", 240, Linkage::External, "struct row [10]"), x = unit.variable("x", 8);
  unit.initialise(table, 24 + 8, x);
  unit.define("f");
  unit.jump(1);
  unit.block();
  ValueId at = unit.newValue(), next = unit.newValue();
  unit.phiRow(at, 0, s(table));
  unit.phiRow(at, 1, v(next));
  ValueId loaded = unit.load(v(unit.field(v(at), 8)));
  unit.fieldAs(next, v(at), 24);
  unit.branch(1, 2);
  unit.block();
  unit.ret();
  TestProgram program(unit);
  EXPECT_EQ(program.places("f", at), Names{"table"});
  EXPECT_EQ(program.places("f", loaded), Names{"x"});
}

TEST(PointsTo, ElementAtAConstantIndexIsTheElementAtAnUnknownOne) {
  UnitBuilder unit("a.c");
  SymbolId counts = unit.variable("counts", 32, Linkage::External, "long[4]");
  unit.define("f", 1, "void(i64)");
  ValueId unknown = unit.index(s(counts), v(ValueId(0)), 8);
  ValueId third = unit.field(s(counts), 16);
  unit.ret();
  TestProgram program(unit);
  EXPECT_TRUE(program->pointsTo.mayAlias(program.at("f", unknown), 8, program.at("f", third), 8));
}

TEST(PointsTo, ElementOfATableThatIsHandedOnIsAnyOfThoseItBeganWith) {
  UnitBuilder unit("a.c");
  SymbolId x = unit.variable("x", 4), y = unit.variable("y", 4);
  SymbolId table = unit.variable("table", 40, Linkage::External, "struct table");
  unit.initialise(table, 16, x);
  unit.initialise(table, 32, y, 0, 16);
  SymbolId find = unit.define("find", 2, "void(ptr,i64)");
  ValueId element = unit.index(v(unit.field(v(ValueId(0)), 8)), v(ValueId(1)), 16);
  ValueId found = unit.load(v(unit.field(v(element), 8)));
  unit.ret();
  unit.define("main");
  unit.call(find, {s(table), Operand::number(1)});
  ValueId last = unit.load(v(unit.field(s(table), 32)));
  unit.ret();
  TestProgram program(unit);
  EXPECT_EQ(program.places("find", found), (Names{"x", "y"}));
  EXPECT_EQ(program.places("main", last), Names{"y"});
}

TEST(PointsTo, BytesApartDoNotAlias) {
  UnitBuilder unit("a.c");
  SymbolId object = unit.variable("object", 16, Linkage::External, "struct s");
  unit.define("f");
  ValueId first = unit.field(s(object), 0), second = unit.field(s(object), 4);
  unit.ret();
  TestProgram program(unit);
  Location low = program.at("f", first), high = program.at("f", second);
  EXPECT_FALSE(program->pointsTo.mayAlias(low, 4, high, 4));
  EXPECT_TRUE(program->pointsTo.mayAlias(low, 8, high, 4));
}

TEST(PointsTo, EveryCallOfAnAllocationWrapperMakesAnObject) {
  UnitBuilder unit("a.c");
  SymbolId malloc = unit.declare("malloc", "ptr(i64)"), name = unit.variable("name", 8);
  SymbolId make = unit.define("make", 0, "ptr()");
  ValueId block = unit.call(malloc, {Operand::number(64)});
  unit.store(v(unit.field(v(block), 8)), s(name));
  unit.ret(v(block));
  unit.define("f");
  ValueId first = unit.call(make, {}), second = unit.call(make, {});
  ValueId named = unit.load(v(unit.field(v(first), 8)));
  unit.ret();
  TestProgram program(unit);
  EXPECT_EQ(program.places("f", first), Names{"heap"});
  EXPECT_FALSE(program->pointsTo.mayAlias(program.at("f", first), 64, program.at("f", second), 64));
  EXPECT_TRUE(program->pointsTo.mayAlias(program.at("f", first), 8, program.at("make", block), 8));
  EXPECT_EQ(program.places("f", named), Names{"name"});
}

TEST(PointsTo, ReallocatedBlockHoldsWhatTheOldOneHeld) {
  UnitBuilder unit("a.c");
  SymbolId malloc = unit.declare("malloc", "ptr(i64)"), realloc = unit.declare("realloc", "ptr(ptr,i64)");
  SymbolId x = unit.variable("x", 8);
  unit.define("f");
  ValueId old = unit.call(malloc, {Operand::number(8)});
  unit.store(v(old), s(x));
  ValueId grown = unit.call(realloc, {v(old), Operand::number(16)});
  ValueId loaded = unit.load(v(grown));
  unit.ret();
  TestProgram program(unit);
  EXPECT_EQ(program.places("f", loaded), Names{"x"});
}

TEST(PointsTo, CopiedStructHoldsTheSamePointers) {
  UnitBuilder unit("a.c");
  SymbolId from = unit.variable("from", 24, Linkage::External, "struct s"), x = unit.variable("x", 8);
  unit.initialise(from, 16, x);
  unit.define("f");
  ValueId to = unit.stack(24);
  unit.transfer(v(to), s(from), 24);
  ValueId loaded = unit.load(v(unit.field(v(to), 16)));
  unit.ret();
  TestProgram program(unit);
  EXPECT_EQ(program.places("f", loaded), Names{"x"});
}

TEST(PointsTo, MaskedPointerStillPoints) {
  UnitBuilder unit("a.c");
  SymbolId x = unit.variable("x", 8);
  unit.define("f", 1, "void(i64)");
  ValueId masked = unit.compute(s(x), Operand::number(-8));
  ValueId distance = unit.compute(v(ValueId(0)), Operand::number(3));
  unit.ret();
  TestProgram program(unit);
  EXPECT_EQ(program.places("f", masked), Names{"x"});
  EXPECT_EQ(program.places("f", distance), Names{});
}

TEST(PointsTo, ChoiceKeepsItsAlternativesApart) {
  UnitBuilder unit("a.c");
  SymbolId a = unit.variable("a", 8), b = unit.variable("b", 8);
  unit.define("f");
  ValueId either = unit.choose(s(a), s(b));
  ValueId one = unit.copy(s(a)), other = unit.copy(s(b));
  unit.ret();
  TestProgram program(unit);
  EXPECT_EQ(program.places("f", either), (Names{"a", "b"}));
  EXPECT_FALSE(program->pointsTo.mayAlias(program.at("f", one), 8, program.at("f", other), 8));
  EXPECT_EQ(program->pointsTo.classOf(program.at("f", one).node),
            program->pointsTo.classOf(program.at("f", other).node));
  EXPECT_EQ(program->pointsTo.classSize(program->pointsTo.classOf(program.at("f", one).node)), 2u);
}

TEST(PointsTo, ArgumentsBeyondTheParametersAreFoundByVaStart) {
  UnitBuilder unit("a.c");
  SymbolId start = unit.declare("llvm.va_start.p0", "void(ptr)"), x = unit.variable("x", 8);
  SymbolId print = unit.define("print", 1, "void(ptr,...)", Linkage::External, model::kVariadic);
  ValueId list = unit.stack(24);
  unit.call(start, {v(list)});
  ValueId area = unit.load(v(unit.field(v(list), 8)));
  ValueId argument = unit.load(v(area));
  unit.ret();
  unit.define("f");
  unit.call(print, {Operand::number(0), s(x)});
  unit.ret();
  TestProgram program(unit);
  EXPECT_EQ(program.places("print", argument), Names{"x"});
}

TEST(PointsTo, NodeWithManyFieldsFoldsTheirContentsAndKeepsItsPlaces) {
  UnitBuilder unit("a.c");
  SymbolId big = unit.variable("big", 8 * 200, Linkage::External, "struct big"), x = unit.variable("x", 8);
  unit.define("f");
  for (int i = 0; i < 100; ++i) unit.store(v(unit.field(s(big), 8 * i)), s(x));
  ValueId place = unit.field(s(big), 8 * 150);
  ValueId loaded = unit.load(v(place));
  unit.ret();
  TestProgram program(unit);
  EXPECT_EQ(program.places("f", loaded), Names{"x"});
  EXPECT_EQ(program.places("f", place), Names{"big+1200"});
}

TEST(PointsTo, KnowsTheOnlyPlaceOfALocation) {
  UnitBuilder unit("a.c");
  SymbolId x = unit.variable("x", 64, Linkage::External, "struct s"), y = unit.variable("y", 64);
  unit.define("f");
  ValueId one = unit.field(s(x), 16);
  ValueId either = unit.choose(s(x), s(y));
  ValueId shifted = unit.choose(s(x), v(one));
  unit.ret();
  TestProgram program(unit);
  std::optional<Place> place = program->pointsTo.single(program.at("f", one));
  ASSERT_TRUE(place);
  EXPECT_EQ(place->offset, 16);
  EXPECT_EQ(program->pointsTo.objects()[place->object].kind, ObjectKind::Variable);
  EXPECT_FALSE(program->pointsTo.single(program.at("f", either)));
  EXPECT_FALSE(program->pointsTo.single(program.at("f", shifted)));
}

TEST(PointsTo, GivesACrowdUpAndListsAFew) {
  auto isListed = [](uint32_t objects) {
    UnitBuilder unit("a.c");
    unit.define("f");
    Operand all = s(unit.variable("v", 8));
    for (uint32_t i = 1; i < objects; ++i) all = v(unit.choose(all, s(unit.variable("v" + std::to_string(i), 8))));
    unit.ret();
    TestProgram program(unit);
    return program->pointsTo.places(program.at("f", all.value())).complete;
  };
  EXPECT_TRUE(isListed(kMaxPlaces));
  EXPECT_FALSE(isListed(16 * kMaxPlaces));
}

} // namespace
} // namespace deadheat::link
