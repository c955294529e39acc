// Walks over the ways of one function.
#pragma once

#include <cstdint>
#include <vector>

#include "link/program.h"

namespace deadheat::analyse {

// What becomes of a statement that a way comes to.
enum class Coming : uint8_t { On, Stop, Found };

// Whether any way from the entry of a function comes to a statement that is looked for. `step` is asked for each, and `isWay` for
// each edge of a block.
template <typename Ask, typename AskEdge>
bool comesTo(const link::Program &program, link::FuncId function, Ask step, AskEdge isWay) {
  const model::Unit &unit = program.unitOf(function);
  const model::Function &body = program.bodyOf(function);
  std::vector<bool> seen(body.blockCount);
  std::vector<uint32_t> open;
  auto enter = [&](uint32_t block) {
    if (!seen[block]) open.push_back(block);
    seen[block] = true;
  };
  if (body.blockCount != 0) enter(0);
  while (!open.empty()) {
    const model::Block &row = unit.blocks[model::BlockId(body.firstBlock.value() + open.back())];
    const uint32_t number = open.back();
    open.pop_back();
    Coming last = Coming::On;
    for (uint32_t i = 0; i < row.statementCount && last == Coming::On; ++i)
      last = step(number, model::StatementId(row.firstStatement.value() + i));
    if (last == Coming::Found) return true;
    for (uint32_t i = 0; i < row.edgeCount && last == Coming::On; ++i)
      if (isWay(number, i)) enter(unit.edges[model::EdgeId(row.firstEdge.value() + i)].target);
  }
  return false;
}

template <typename Ask> bool comesTo(const link::Program &program, link::FuncId function, Ask step) {
  return comesTo(program, function, step, [](uint32_t, uint32_t) { return true; });
}

} // namespace deadheat::analyse
