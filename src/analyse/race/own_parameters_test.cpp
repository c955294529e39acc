#include "analyse/race/own_parameters.h"

#include "gtest/gtest.h"

#include "analyse/test_world.h"

namespace deadheat::analyse {
namespace {

using link::Operand;
using link::SymbolId;
using link::ValueId;

const Operand kFirst = v(ValueId(0)), kSecond = v(ValueId(1));

// A loop starts workers, each with an element of its own; worker(p) calls pass(p, null), which calls what the test wants.
struct Workers {
  link::UnitBuilder unit{"a.c"};
  SymbolId data = unit.variable("data", 512, model::Linkage::External, "struct datum [8]");
  SymbolId helper;
  std::optional<Analysed> analysed;

  template <typename Calls> explicit Workers(Calls calls) {
    helper = define("helper", 1, "void(ptr)", [] {});
    SymbolId pass = define("pass", 2, "void(ptr,ptr)", [&] { calls(*this); });
    SymbolId worker = unit.define("worker", 1, "ptr(ptr)");
    unit.call(pass, {kFirst, n(0)});
    unit.ret(n(0));
    unit.flag(worker, model::kAddressTaken);
    SymbolId create = unit.declare("pthread_create", "i32(ptr,ptr,ptr,ptr)");
    unit.define("main", 1, "i32(i64)");
    ValueId handles = unit.stack(64);
    unit.jump(1);
    unit.block();
    ValueId i = unit.newValue(), next = unit.newValue();
    unit.phiRow(i, 0, n(0));
    unit.phiRow(i, 1, v(next));
    unit.call(create, {v(unit.index(v(handles), v(i), 8)), n(0), s(worker), v(unit.index(s(data), v(i), 64))});
    unit.computeAs(next, v(i), n(1));
    unit.branch(1, 2, v(next), kFirst);
    unit.block();
    unit.ret();
  }

  template <typename Body> SymbolId define(const char *name, uint32_t parameters, const char *type, Body body) {
    SymbolId symbol = unit.define(name, parameters, type);
    body();
    unit.ret();
    return symbol;
  }

  bool isOwn(std::string_view function, uint32_t parameter) {
    if (!analysed) analysed.emplace(unit);
    OwnParameters own(*analysed->program);
    return own.isOwn(analysed->thread("worker"), analysed->program.function(function), parameter);
  }

  bool isMade(std::string_view function, uint32_t parameter) {
    if (!analysed) analysed.emplace(unit);
    OwnParameters own(*analysed->program);
    return own.isMade(analysed->thread("worker"), analysed->program.function(function), parameter);
  }

  ValueId allocate() { return unit.call(unit.declare("malloc", "ptr(i64)"), {n(64)}); }
};

TEST(OwnParameters, AreThoseThatEveryCallPassesOn) {
  Workers program([](Workers &self) {
    self.unit.call(self.helper, {kFirst});
    self.unit.call(self.helper, {kFirst});
  });
  EXPECT_TRUE(program.isOwn("pass", 0));
  EXPECT_FALSE(program.isOwn("pass", 1));
  EXPECT_TRUE(program.isOwn("helper", 0));
}

TEST(OwnParameters, AreNotThoseThatOneCallGetsElsewhere) {
  Workers program([](Workers &self) {
    self.unit.call(self.helper, {kFirst});
    self.unit.call(self.helper, {s(self.data)});
  });
  EXPECT_TRUE(program.isOwn("pass", 0));
  EXPECT_FALSE(program.isOwn("helper", 0));
}

TEST(OwnParameters, AreNotOtherParametersOfTheSameCall) {
  Workers program([](Workers &self) { self.unit.call(self.helper, {kSecond}); });
  EXPECT_FALSE(program.isOwn("helper", 0));
}

TEST(OwnParameters, AreMadeIfEveryCallPassesSomethingNewOrAPartOfIt) {
  Workers program([](Workers &self) {
    ValueId block = self.allocate();
    self.unit.call(self.helper, {v(block)});
    self.unit.call(self.helper, {v(self.unit.field(v(block), 8))});
    self.unit.call(self.helper, {v(self.unit.stack(8))});
  });
  EXPECT_TRUE(program.isMade("helper", 0));
  EXPECT_TRUE(program.isOwn("helper", 0));
  EXPECT_FALSE(program.isMade("pass", 0));
}

TEST(OwnParameters, AreNotMadeIfOneCallPassesTheArgumentOfTheThread) {
  Workers program([](Workers &self) {
    self.unit.call(self.helper, {v(self.allocate())});
    self.unit.call(self.helper, {kFirst});
  });
  EXPECT_FALSE(program.isMade("helper", 0));
  EXPECT_TRUE(program.isOwn("helper", 0));
}

TEST(OwnParameters, AreNotMadeIfTheyWereLoaded) {
  Workers program([](Workers &self) { self.unit.call(self.helper, {v(self.unit.load(v(self.allocate())))}); });
  EXPECT_FALSE(program.isMade("helper", 0));
  EXPECT_FALSE(program.isOwn("helper", 0));
}

} // namespace
} // namespace deadheat::analyse
