#include "analyse/race/unwinding.h"

namespace deadheat::analyse {

// The library catches to undo what it did, and throws again.
bool Unwinding::catches(link::FuncId function, const model::Block &block) const {
  if ((program_.function(function).flags & model::kLibrary) != 0) return false;
  const model::Unit &unit = program_.unitOf(function);
  for (uint32_t s = 0; s < block.statementCount; ++s) {
    const model::Statement &statement = unit.statements[model::StatementId(block.firstStatement.value() + s)];
    if (statement.kind != model::StatementKind::Call) continue;
    const model::Operand &callee = unit.calls[model::CallId(static_cast<uint32_t>(statement.number))].callee;
    if (callee.isSymbol() && unit.strings[unit.symbols[callee.symbol()].name] == "__cxa_begin_catch") return true;
  }
  return false;
}

std::vector<bool> Unwinding::cleanUpOf(link::FuncId function) const {
  const model::Unit &unit = program_.unitOf(function);
  const model::Function &body = program_.bodyOf(function);
  std::vector<bool> cleanUp(body.blockCount, true);
  std::vector<uint32_t> pending;
  auto reach = [&](uint32_t block) {
    if (!cleanUp[block]) return;
    cleanUp[block] = false;
    pending.push_back(block);
  };
  auto row = [&](uint32_t block) -> const model::Block & {
    return unit.blocks[model::BlockId(body.firstBlock.value() + block)];
  };
  reach(0);
  for (uint32_t block = 0; block < body.blockCount; ++block)
    if (catches(function, row(block))) reach(block);
  while (!pending.empty()) {
    const model::Block &block = row(pending.back());
    pending.pop_back();
    for (uint32_t e = 0; e < block.edgeCount; ++e)
      if (const model::Edge &edge = unit.edges[model::EdgeId(block.firstEdge.value() + e)];
          edge.kind != model::EdgeKind::Unwind)
        reach(edge.target);
  }
  return cleanUp;
}

bool Unwinding::isInCleanUp(link::FuncId function, model::StatementId statement) {
  auto [known, isNew] = known_.try_emplace(function);
  if (isNew) known->second = cleanUpOf(function);
  return known->second[link::Code{program_.units, program_.symbols}.blockOf(function, statement)];
}

} // namespace deadheat::analyse
