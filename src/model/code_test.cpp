// What readers of a unit's code may rely on, and that every breach of it is refused.
#include <gtest/gtest.h>

#include "model/payload.h"
#include "model/sample.h"
#include "model/validate_code.h"

namespace deadheat::model {
namespace {

template <typename Change> std::string refusalAfter(Change change) {
  Unit unit = sampleUnit();
  change(unit);
  auto good = validate(unit);
  return good ? "accepted" : good.error().text();
}

// A statement of the sample: the entry of push has three (field, call, branch), its second block five.
Statement &statement(Unit &unit, uint32_t index) { return unit.statements[StatementId(index)]; }

TEST(Code, OfTheSampleIsGood) {
  EXPECT_EQ(refusalAfter([](Unit &) {}), "accepted");
}

TEST(Code, WithABadSymbolIsRefused) {
  EXPECT_EQ(refusalAfter([](Unit &unit) { unit.symbols[SymbolId(1)].type = StringId(999); }),
            "symbol 1 names a string that is not there");
  EXPECT_EQ(refusalAfter([](Unit &unit) { unit.symbols[SymbolId(1)].function = FunctionId(2); }),
            "symbol 1 names a function that is not there");
  EXPECT_EQ(refusalAfter([](Unit &unit) { unit.symbols[SymbolId(4)].aliasee = SymbolId(4); }),
            "symbol 4 is another name of nothing");
  EXPECT_EQ(refusalAfter([](Unit &unit) { unit.initialisers[1].target = SymbolId(5); }),
            "initialiser 1 names a symbol that is not there");
  EXPECT_EQ(refusalAfter([](Unit &unit) { unit.inheritance[0].base = StringId(999); }),
            "inheritance 0 names a string that is not there");
}

TEST(Code, WithRowsOutOfPlaceIsRefused) {
  EXPECT_EQ(refusalAfter([](Unit &unit) { unit.functions[FunctionId(1)].firstBlock = BlockId(3); }),
            "function 1 names blocks that are not there");
  EXPECT_EQ(refusalAfter([](Unit &unit) { unit.functions[FunctionId(1)].blockCount = UINT32_MAX; }),
            "function 1 names blocks that are not there");
  EXPECT_EQ(refusalAfter([](Unit &unit) { unit.blocks.add({}); }), "some of its code belongs to no function");
  EXPECT_EQ(refusalAfter([](Unit &unit) { unit.arguments.add({}); }), "some of its code belongs to no function");
  EXPECT_EQ(refusalAfter([](Unit &unit) { unit.blocks[BlockId(1)].firstStatement = StatementId(0); }),
            "function 0 has a block without its statements");
  EXPECT_EQ(refusalAfter([](Unit &unit) { unit.blocks[BlockId(3)].statementCount = 0; }),
            "function 0 has a block without its statements");
  EXPECT_EQ(refusalAfter([](Unit &unit) { unit.blocks[BlockId(4)].edgeCount = UINT32_MAX; }),
            "function 1 has a block without its edges");
}

TEST(Code, WithABadBlockIsRefused) {
  EXPECT_EQ(refusalAfter([](Unit &unit) { statement(unit, 2).kind = StatementKind::Copy; }),
            "function 0 has a block that does not end where its statements do");
  EXPECT_EQ(refusalAfter([](Unit &unit) { statement(unit, 0).kind = StatementKind::Jump; }),
            "function 0 has a block that does not end where its statements do");
  EXPECT_EQ(refusalAfter([](Unit &unit) { statement(unit, 4).kind = StatementKind::Phi; }),
            "function 0 has a phi in the middle of a block");
  EXPECT_EQ(refusalAfter([](Unit &unit) { statement(unit, 2).kind = StatementKind::Return; }),
            "function 0 has a block with edges that its last statement cannot take");
  EXPECT_EQ(refusalAfter([](Unit &unit) { unit.edges[EdgeId(1)].target = 4; }),
            "function 0 has an edge to a block that is not there");
}

TEST(Code, WithABadStatementIsRefused) {
  EXPECT_EQ(refusalAfter([](Unit &unit) { statement(unit, 0).a = Operand::value(ValueId(7)); }),
            "function 0 uses an operand that is not there");
  EXPECT_EQ(refusalAfter([](Unit &unit) { statement(unit, 0).b = Operand::symbol(SymbolId(5)); }),
            "function 0 uses an operand that is not there");
  EXPECT_EQ(refusalAfter([](Unit &unit) { statement(unit, 3).site = SiteId(8); }),
            "function 0 accesses a site that is not there");
  EXPECT_EQ(refusalAfter([](Unit &unit) { statement(unit, 2).number = int64_t(Predicate::Unknown) + 1; }),
            "function 0 has a statement with a number out of range");
  EXPECT_EQ(refusalAfter([](Unit &unit) { statement(unit, 6).number = -1; }),
            "function 0 has a statement with a number out of range");
}

TEST(Code, WithABadValueIsRefused) {
  EXPECT_EQ(refusalAfter([](Unit &unit) { statement(unit, 0).result = ValueId(1); }),
            "function 0 assigns a value that is not there");
  EXPECT_EQ(refusalAfter([](Unit &unit) { statement(unit, 0).result = ValueId(7); }),
            "function 0 assigns a value that is not there");
  EXPECT_EQ(refusalAfter([](Unit &unit) { statement(unit, 3).result = ValueId(2); }),
            "function 0 assigns a value twice");
  EXPECT_EQ(refusalAfter([](Unit &unit) { unit.functions[FunctionId(0)].valueCount = UINT32_MAX; }),
            "function 0 has too many values");
  EXPECT_EQ(refusalAfter([](Unit &unit) { unit.functions[FunctionId(0)].parameterCount = 8; }),
            "function 0 has a wrong number of parameters");
}

TEST(Code, WithABadCallIsRefused) {
  EXPECT_EQ(refusalAfter([](Unit &unit) { statement(unit, 1).number = 1; }),
            "function 0 makes a call that is not there");
  EXPECT_EQ(refusalAfter([](Unit &unit) { unit.calls[CallId(0)].type = StringId(999); }),
            "function 0 makes a call that names a string that is not there");
  EXPECT_EQ(refusalAfter([](Unit &unit) { unit.calls[CallId(0)].callee = Operand::number(0); }),
            "function 0 calls something that is not there");
  EXPECT_EQ(refusalAfter([](Unit &unit) { unit.calls[CallId(1)].argumentCount = UINT32_MAX; }),
            "function 0 makes a call without its arguments");
  EXPECT_EQ(refusalAfter([](Unit &unit) { unit.arguments[ArgumentId(0)].path = StringId(999); }),
            "function 0 passes something that is not there");
}

} // namespace
} // namespace deadheat::model
