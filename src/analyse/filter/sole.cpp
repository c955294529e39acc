#include "analyse/filter/sole.h"

#include <algorithm>
#include <optional>

#include "analyse/symbolic/tickets.h"

namespace deadheat::analyse {

using link::FuncId;
using model::Operand;
using model::Predicate;
using model::Statement;
using model::StatementKind;

namespace {

// `next.fetch_sub(1) - 1` is as good as the number itself.
bool isNumber(const Tickets &tickets, const link::Definitions &definitions, const Operand &operand) {
  if (tickets.contains(operand)) return true;
  const Operand stripped = definitions.strip(operand);
  const Statement *made = stripped.isValue() ? definitions.of(stripped.value()) : nullptr;
  return made && made->kind == StatementKind::Compute && made->b.isNumber() && tickets.contains(made->a);
}

// Which way is taken by who has the number: 0 if the branch holds, 1 if not; none: it does not ask for one.
std::optional<uint32_t> wayOfOne(const Tickets &tickets, const link::Definitions &definitions, const Statement &test) {
  const auto predicate = static_cast<Predicate>(test.number);
  if (predicate != Predicate::Equal && predicate != Predicate::NotEqual) return std::nullopt;
  const uint32_t way = predicate == Predicate::Equal ? 0 : 1;
  if (!test.b.isNumber()) return std::nullopt;
  if (isNumber(tickets, definitions, test.a)) return way;
  const Statement *made = test.a.isValue() ? definitions.of(test.a.value()) : nullptr;
  if (!made || made->kind != StatementKind::Compare || test.b.index != 0) return std::nullopt;
  std::optional<uint32_t> inner = wayOfOne(tickets, definitions, *made);
  return inner ? std::optional(*inner ^ way ^ 1) : std::nullopt;
}

} // namespace

// Reached from the entry, and not without the edge.
Sole::Blocks Sole::behind(FuncId function, uint32_t block, uint32_t edge) const {
  const model::Unit &unit = code_.unitOf(function);
  const model::Function &body = code_.bodyOf(function);
  Blocks around(body.blockCount);
  std::vector<uint32_t> pending{0};
  around[0] = true;
  while (!pending.empty()) {
    const uint32_t from = pending.back();
    pending.pop_back();
    const model::Block &row = unit.blocks[model::BlockId(body.firstBlock.value() + from)];
    for (uint32_t e = 0; e < row.edgeCount; ++e) {
      const uint32_t target = unit.edges[model::EdgeId(row.firstEdge.value() + e)].target;
      if ((from == block && e == edge) || around[target]) continue;
      around[target] = true;
      pending.push_back(target);
    }
  }
  around.flip();
  return around;
}

const std::vector<Sole::Blocks> &Sole::behindTests(FuncId function) {
  auto [known, isNew] = known_.try_emplace(function);
  if (!isNew || code_.function(function).external()) return known->second;
  const Environment &environment = world_.environment;
  const model::Unit &unit = code_.unitOf(function);
  const model::Function &body = code_.bodyOf(function);
  const Tickets tickets(environment.program, function, environment.atomicSteps, environment.oneWay);
  const link::Definitions definitions(code_, function);
  for (uint32_t block = 0; block < body.blockCount; ++block) {
    const model::Block &row = unit.blocks[model::BlockId(body.firstBlock.value() + block)];
    if (row.statementCount == 0 || row.edgeCount != 2) continue;
    const Statement &last = unit.statements[model::StatementId(row.firstStatement.value() + row.statementCount - 1)];
    if (last.kind != StatementKind::Branch) continue;
    if (std::optional<uint32_t> way = wayOfOne(tickets, definitions, last))
      known->second.push_back(behind(function, block, *way));
  }
  return known->second;
}

bool Sole::isSame(const std::vector<Step> &a, const std::vector<Step> &b) {
  return std::ranges::any_of(a, [&](const Step &one) {
    return std::ranges::any_of(b, [&](const Step &other) {
      if (one.function != other.function) return false;
      const uint32_t first = code_.blockOf(one.function, one.statement);
      const uint32_t second = code_.blockOf(other.function, other.statement);
      return std::ranges::any_of(behindTests(one.function),
                                 [&](const Blocks &blocks) { return blocks[first] && blocks[second]; });
    });
  });
}

} // namespace deadheat::analyse
