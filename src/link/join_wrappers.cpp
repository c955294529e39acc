#include "link/join_wrappers.h"

#include <optional>

#include "link/definitions.h"
#include "link/loops.h"

namespace deadheat::link {

namespace {

using knowledge::Row;
using model::StatementKind;

bool isJoin(const Row *row) {
  return row && row->action == knowledge::Action::Join && !row->has(knowledge::kTry) && row->object >= 0;
}

// No way leads around the block.
bool isPassed(const Code &code, FuncId id, uint32_t block) {
  const model::Unit &unit = code.unitOf(id);
  const model::Function &body = code.bodyOf(id);
  std::vector<bool> reached(body.blockCount);
  std::vector<uint32_t> pending;
  auto reach = [&](uint32_t b) {
    if (b == block || reached[b]) return;
    reached[b] = true;
    pending.push_back(b);
  };
  for (reach(0); !pending.empty();) {
    const model::Block &from = unit.blocks[model::BlockId(body.firstBlock.value() + pending.back())];
    pending.pop_back();
    model::StatementId last(from.firstStatement.value() + from.statementCount - 1);
    if (from.statementCount != 0 && unit.statements[last].kind == StatementKind::Return) return false;
    for (uint32_t e = 0; e < from.edgeCount; ++e) reach(unit.edges[model::EdgeId(from.firstEdge.value() + e)].target);
  }
  return true;
}

// The row of a call in the function, in terms of its parameters.
std::optional<Row> inTermsOf(const Code &code, FuncId id, const Definitions &definitions, const model::Call &call,
                             const Row &row) {
  if (static_cast<uint32_t>(row.object) >= call.argumentCount) return {};
  Row derived = row;
  derived.success = knowledge::Success::Always;
  derived.object = definitions.parameter(call, row.object);
  if (derived.object >= 0) return derived;
  model::ArgumentId argument(call.firstArgument.value() + static_cast<uint32_t>(row.object));
  model::Operand handle = definitions.strip(code.unitOf(id).arguments[argument].value);
  const model::Statement *made = handle.isValue() ? definitions.of(handle.value()) : nullptr;
  if (!made || made->kind != StatementKind::Load || row.has(knowledge::kByAddress)) return {};
  derived.object = static_cast<signed char>(definitions.parameter(made->a));
  derived.flags |= knowledge::kByAddress;
  if (derived.object < 0) return {};
  return derived;
}

} // namespace

std::vector<const Row *> findJoinWrappers(const Code &code, const Lists<FuncId, FuncId> &callers,
                                          std::deque<Row> &rows) {
  std::vector<const Row *> found(code.symbols.functions.size(), nullptr);
  auto rowOf = [&](FuncId id) { return isJoin(code.function(id).known) ? code.function(id).known : found[id.value()]; };
  std::vector<FuncId> queue;
  auto enqueueCallers = [&](FuncId id) { queue.insert(queue.end(), callers[id].begin(), callers[id].end()); };
  auto judge = [&](FuncId id, model::BlockId block, const Definitions &definitions, const model::Statement &statement) {
    if (statement.kind != StatementKind::Call || found[id.value()]) return;
    const model::Call &call = code.unitOf(id).calls[model::CallId(static_cast<uint32_t>(statement.number))];
    FuncId callee = code.directCallee(code.function(id).unit, call);
    const Row *row = callee.valid() && callee != id ? rowOf(callee) : nullptr;
    std::optional<Row> derived = row ? inTermsOf(code, id, definitions, call, *row) : std::nullopt;
    if (!derived || !isPassed(code, id, code.blockOf(id, block))) return;
    found[id.value()] = &rows.emplace_back(*derived);
    enqueueCallers(id);
  };
  code.forEachFunction([&](FuncId id) {
    if (isJoin(code.function(id).known)) enqueueCallers(id);
  });
  while (!queue.empty()) {
    FuncId id = queue.back();
    queue.pop_back();
    if (code.function(id).external() || code.function(id).known || found[id.value()]) continue;
    Definitions definitions(code, id);
    code.forEachStatement(id, [&](model::BlockId block, model::StatementId, const model::Statement &statement) {
      judge(id, block, definitions, statement);
    });
  }
  return found;
}

} // namespace deadheat::link
