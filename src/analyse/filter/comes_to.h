// Walks over the ways of one function.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "link/program.h"
#include "link/split_blocks.h"

namespace deadheat::analyse {

// What becomes of a statement that a way comes to.
enum class Coming : uint8_t { On, Stop, Found };

// Whether any way from behind one of the statements comes to one that is looked for. `step` is asked for each, and `isWay` for each block
// and the next one.
template <typename Starts, typename Ask, typename AskEdge>
bool comesToAfter(const link::Program &program, link::FuncId function, const Starts &starts, Ask step, AskEdge isWay) {
  const model::Unit &unit = program.unitOf(function);
  const model::Function &body = program.bodyOf(function);
  auto at = [&](uint32_t block) -> const model::Block & {
    return unit.blocks[model::BlockId(body.firstBlock.value() + block)];
  };
  const link::Code code{program.units, program.symbols};
  const link::SplitBlocks split = link::splitBlocks(code, function);
  std::vector<bool> seen(split.first + split.copies.size());
  std::vector<std::pair<uint32_t, uint32_t>> open; // a block or a copy of one, and the first statement of it
  for (model::StatementId start : starts) open.push_back({code.blockOf(function, start), start.value() + 1});
  while (!open.empty()) {
    const auto [number, first] = open.back();
    const model::Block &row = at(split.block(number));
    open.pop_back();
    Coming last = Coming::On;
    for (uint32_t i = first; i < row.firstStatement.value() + row.statementCount && last == Coming::On; ++i)
      last = step(model::StatementId(i));
    if (last == Coming::Found) return true;
    for (uint32_t i = 0; i < row.edgeCount && last == Coming::On; ++i) {
      const uint32_t target = unit.edges[model::EdgeId(row.firstEdge.value() + i)].target;
      const uint32_t next = split.into(number, target);
      if (!split.leads(number, target) || seen[next] || !isWay(split.block(number), target)) continue;
      seen[next] = true;
      open.push_back({next, at(target).firstStatement.value()});
    }
  }
  return false;
}

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
