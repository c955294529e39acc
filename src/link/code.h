// The units and what their symbols mean: what every stage after symbols reads.
#pragma once

#include <vector>

#include "link/symbols.h"

namespace deadheat::link {

struct Code {
  const std::vector<model::LinkedUnit> &units;
  const Symbols &symbols;

  const model::Unit &unit(UnitId id) const { return units[id.value()].unit; }
  const Function &function(FuncId id) const { return symbols.functions[id]; }
  const model::Unit &unitOf(FuncId id) const { return unit(function(id).unit); }
  const model::Function &bodyOf(FuncId id) const { return unitOf(id).functions[function(id).body]; }

  // The function that the call names; invalid: it goes through a pointer.
  FuncId directCallee(UnitId where, const model::Call &call) const {
    return call.callee.isSymbol() ? symbols.target(where, call.callee.symbol()).function : FuncId();
  }

  // Blocks are counted within their function.
  uint32_t blockOf(FuncId id, model::BlockId block) const { return block.value() - bodyOf(id).firstBlock.value(); }

  // The block of a statement, counted within its function.
  uint32_t blockOf(FuncId id, model::StatementId statement) const {
    const model::Unit &owner = unitOf(id);
    const model::Function &body = bodyOf(id);
    uint32_t low = 0, high = body.blockCount; // it is in [low, high)
    while (high - low > 1) {
      uint32_t middle = low + (high - low) / 2;
      bool isBefore = owner.blocks[model::BlockId(body.firstBlock.value() + middle)].firstStatement > statement;
      (isBefore ? high : low) = middle;
    }
    return low;
  }

  template <typename Visit> void forEachFunction(Visit visit) const {
    for (uint32_t i = 0; i < symbols.functions.size(); ++i) visit(FuncId(i));
  }

  // visit(block, statement id, statement); functions without a body have none.
  template <typename Visit> void forEachStatement(FuncId id, Visit visit) const {
    if (function(id).external()) return;
    const model::Unit &owner = unitOf(id);
    const model::Function &body = bodyOf(id);
    for (uint32_t b = 0; b < body.blockCount; ++b) {
      model::BlockId block(body.firstBlock.value() + b);
      const model::Block &row = owner.blocks[block];
      for (uint32_t s = 0; s < row.statementCount; ++s) {
        model::StatementId statement(row.firstStatement.value() + s);
        visit(block, statement, owner.statements[statement]);
      }
    }
  }
};

// What the call gets as this argument; none: it has no such.
inline model::Operand argumentOf(const model::Unit &unit, const model::Call &call, int number) {
  if (number < 0 || static_cast<uint32_t>(number) >= call.argumentCount) return {};
  return unit.arguments[model::ArgumentId(call.firstArgument.value() + static_cast<uint32_t>(number))].value;
}

} // namespace deadheat::link
