#include "driver/call_path.h"

#include <gtest/gtest.h>

namespace deadheat::driver {
namespace {

// Functions named by letters, each with one block of calls: {"bc", "", ""} is a calling b and c.
model::Unit unitOf(const std::vector<std::string> &calls) {
  model::Unit unit;
  for (size_t index = 0; index != calls.size(); ++index) {
    model::Symbol symbol;
    symbol.name = unit.strings.intern(std::string(1, static_cast<char>('a' + index)));
    unit.symbols.add(symbol);
  }
  for (size_t index = 0; index != calls.size(); ++index) {
    model::Function function;
    function.name = unit.symbols[model::SymbolId(static_cast<uint32_t>(index))].name;
    function.firstBlock = model::BlockId(static_cast<uint32_t>(unit.blocks.size()));
    function.blockCount = 1;
    unit.functions.add(function);
    model::Block block;
    block.firstStatement = model::StatementId(static_cast<uint32_t>(unit.statements.size()));
    block.statementCount = static_cast<uint32_t>(calls[index].size());
    unit.blocks.add(block);
    for (char callee : calls[index]) {
      model::Call call;
      call.callee = model::Operand::symbol(model::SymbolId(static_cast<uint32_t>(callee - 'a')));
      model::Statement statement;
      statement.kind = model::StatementKind::Call;
      statement.number = unit.calls.add(call).value();
      unit.statements.add(statement);
    }
  }
  return unit;
}

std::string callersIn(const model::Unit &unit, uint32_t outer, uint32_t inner) {
  std::string text;
  for (const CallStep &step : callPath(unit, model::FunctionId(outer), model::FunctionId(inner)))
    text += unit.strings[unit.functions[step.caller].name];
  return text;
}

TEST(CallPath, IsTheShortestChainInnermostFirst) {
  model::Unit unit = unitOf({"bc", "d", "d", "e", ""});
  EXPECT_EQ(callersIn(unit, 0, 4), "dba");
  EXPECT_EQ(callersIn(unit, 0, 2), "a");
}

TEST(CallPath, EndsForRecursionAndForFunctionsThatAreNotReached) {
  model::Unit unit = unitOf({"b", "ab", ""});
  EXPECT_EQ(callersIn(unit, 0, 2), "");
  EXPECT_EQ(callersIn(unit, 0, 0), "");
}

} // namespace
} // namespace deadheat::driver
