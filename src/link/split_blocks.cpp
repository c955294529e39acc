#include "link/split_blocks.h"

#include <optional>

namespace deadheat::link {

using model::Operand;
using model::Statement;
using model::StatementKind;

static std::optional<bool> holds(model::Predicate predicate, int64_t a, int64_t b) {
  switch (predicate) {
  case model::Predicate::Equal: return a == b;
  case model::Predicate::NotEqual: return a != b;
  case model::Predicate::Less: return a < b;
  case model::Predicate::LessOrEqual: return a <= b;
  case model::Predicate::Greater: return a > b;
  case model::Predicate::GreaterOrEqual: return a >= b;
  case model::Predicate::Unknown: return std::nullopt;
  }
  return std::nullopt;
}

// Where a test of a value goes that is this number.
static std::optional<uint32_t> targetOf(const model::Unit &unit, const model::Block &block, const Statement &test,
                                        int64_t number) {
  auto edge = [&](uint32_t i) -> const model::Edge & { return unit.edges[model::EdgeId(block.firstEdge.value() + i)]; };
  if (test.kind == StatementKind::Branch) {
    if (!test.b.isNumber() || block.edgeCount != 2) return std::nullopt;
    std::optional<bool> isTrue = holds(static_cast<model::Predicate>(test.number), number, test.b.index);
    return isTrue ? std::optional(edge(*isTrue ? 0 : 1).target) : std::nullopt;
  }
  std::optional<uint32_t> otherwise;
  for (uint32_t i = 0; i < block.edgeCount; ++i) {
    if (edge(i).kind == model::EdgeKind::Case && edge(i).value == number) return edge(i).target;
    if (edge(i).kind == model::EdgeKind::Default) otherwise = edge(i).target;
  }
  return otherwise;
}

SplitBlocks splitBlocks(const Code &code, FuncId function) {
  const model::Unit &unit = code.unitOf(function);
  const model::Function &body = code.bodyOf(function);
  SplitBlocks split{.first = body.blockCount, .copies = {}, .entered = {}};
  for (uint32_t number = 0; number < body.blockCount; ++number) {
    const model::Block &block = unit.blocks[model::BlockId(body.firstBlock.value() + number)];
    if (block.statementCount < 2) continue;
    const Statement &test =
        unit.statements[model::StatementId(block.firstStatement.value() + block.statementCount - 1)];
    if ((test.kind != StatementKind::Switch && test.kind != StatementKind::Branch) || !test.a.isValue()) continue;
    std::map<uint32_t, uint32_t> copies; // by target
    for (uint32_t s = 0; s < block.statementCount; ++s) {
      const Statement &row = unit.statements[model::StatementId(block.firstStatement.value() + s)];
      if (row.kind != StatementKind::Phi) break;
      if (row.result != test.a.value() || !row.a.isNumber()) continue;
      std::optional<uint32_t> target = targetOf(unit, block, test, row.a.index);
      if (!target) continue;
      auto [copy, isNew] = copies.try_emplace(*target, split.first + static_cast<uint32_t>(split.copies.size()));
      if (isNew) split.copies.push_back({number, *target});
      split.entered[{static_cast<uint32_t>(row.number), number}] = copy->second;
    }
  }
  return split;
}

} // namespace deadheat::link
