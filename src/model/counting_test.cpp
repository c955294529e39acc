#include "model/counting.h"

#include <gtest/gtest.h>

namespace deadheat::model {
namespace {

using Kind = StatementKind;

Operand value(uint32_t id) { return Operand::value(ValueId(id)); }

// `++hits`, and perhaps more, in a function; a late write that carries the read.
struct Counter {
  Unit unit;
  SymbolId hits;

  Counter() {
    hits = unit.symbols.add({});
    addSite(AccessKind::Read);
    addSite(AccessKind::Write);
    unit.lateSites = {SiteId(0), SiteId(1)};
    unit.late.add({FunctionId(0), AccessKind::Write, Origin::Metadata, 4, 0, 2});
  }

  SiteId addSite(AccessKind kind) {
    return unit.sites.add({FunctionId(0), {}, 0, 0, kind, 4, StringId(0), StringId(0), StringId(0)});
  }

  FunctionId addFunction(std::vector<Statement> statements) {
    statements.push_back({.kind = Kind::Return});
    BlockId block = unit.blocks.add({StatementId(static_cast<uint32_t>(unit.statements.size())),
                                     static_cast<uint32_t>(statements.size()), EdgeId(0), 0});
    for (const Statement &statement : statements) unit.statements.add(statement);
    Function function;
    function.firstBlock = block;
    function.blockCount = 1;
    function.valueCount = 9;
    return unit.functions.add(function);
  }

  std::vector<Statement> increment() const {
    return {{.kind = Kind::Load, .result = ValueId(0), .a = Operand::symbol(hits), .site = SiteId(0)},
            {.kind = Kind::Compute, .result = ValueId(1), .a = value(0), .b = Operand::number(1)},
            {.kind = Kind::Store, .a = Operand::symbol(hits), .b = value(1), .site = SiteId(1)}};
  }
  Statement otherRead() {
    return {.kind = Kind::Load, .result = ValueId(2), .a = Operand::symbol(hits), .site = addSite(AccessKind::Read)};
  }
  Statement callOf(FunctionId callee) {
    Symbol symbol;
    symbol.function = callee;
    Call call;
    call.callee = Operand::symbol(unit.symbols.add(symbol));
    call.firstArgument = ArgumentId(0);
    return {.kind = Kind::Call, .number = unit.calls.add(call).value()};
  }
  bool only() const { return Counting(unit).only(unit.late[LateId(0)]); }
};

TEST(Counting, AnIncrementThatNobodyLooksAtCounts) {
  Counter counter;
  counter.addFunction(counter.increment());
  EXPECT_TRUE(counter.only());
}

TEST(Counting, WhoUsesTheOldOrNewNumberLooks) {
  for (uint32_t used : {0u, 1u}) {
    Counter counter;
    auto statements = counter.increment();
    statements.push_back({.kind = Kind::Compare, .result = ValueId(3), .a = value(used), .b = Operand::number(7)});
    counter.addFunction(statements);
    EXPECT_FALSE(counter.only());
  }
}

TEST(Counting, WhoReadsItAgainLooks) {
  Counter counter;
  auto statements = counter.increment();
  statements.push_back(counter.otherRead());
  counter.addFunction(statements);
  EXPECT_FALSE(counter.only());
}

TEST(Counting, WhoCallsOneThatReadsItLooks) {
  Counter counter;
  auto statements = counter.increment();
  FunctionId reads = counter.addFunction({counter.otherRead()});
  statements.push_back(counter.callOf(reads));
  counter.addFunction(statements);
  EXPECT_FALSE(counter.only());
}

TEST(Counting, ReadersThatNobodyNearCallsDoNotMatter) {
  Counter counter;
  counter.addFunction(counter.increment());
  counter.addFunction({counter.otherRead()});
  EXPECT_TRUE(counter.only());
}

} // namespace
} // namespace deadheat::model
