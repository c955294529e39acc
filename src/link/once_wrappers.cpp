#include "link/once_wrappers.h"

#include <optional>

#include "link/definitions.h"

namespace deadheat::link {

namespace {

using knowledge::Action;
using knowledge::Row;
using model::Statement;
using model::StatementKind;

bool isOnce(const Row *row) { return row && row->action == Action::Once; }

bool writes(StatementKind kind) {
  return kind == StatementKind::Store || kind == StatementKind::AtomicStore || kind == StatementKind::AtomicUpdate ||
         kind == StatementKind::Transfer || kind == StatementKind::Fill;
}

// As the row of the callee would read with the caller's parameters; none: these are not parameters.
std::optional<Row> withParameters(const Row &row, const model::Call &call, const Definitions &definitions) {
  Row derived = row;
  derived.object = definitions.parameter(call, row.object);
  derived.entry = definitions.parameter(call, row.entry);
  derived.argument = definitions.parameter(call, row.argument);
  if (derived.object < 0 || derived.entry < 0 || (row.argument >= 0 && derived.argument < 0)) return std::nullopt;
  return derived;
}

// The row that stands for the function's body; none: it has to be looked at.
std::optional<Row> judge(const Code &code, FuncId id) {
  std::optional<Row> found;
  bool only = true;
  const model::Unit &unit = code.unitOf(id);
  code.forEachStatement(id, [&](model::BlockId, model::StatementId, const Statement &statement) {
    only &= !writes(statement.kind);
    if (!only || statement.kind != StatementKind::Call) return;
    const model::Call &call = unit.calls[model::CallId(static_cast<uint32_t>(statement.number))];
    if (call.flags & model::kNoReturn) return;
    FuncId callee = code.directCallee(code.function(id).unit, call);
    const bool first = callee.valid() && isOnce(code.function(callee).known) && !found;
    if (first) found = withParameters(*code.function(callee).known, call, Definitions(code, id));
    only &= first && found;
  });
  return only ? found : std::nullopt;
}

} // namespace

std::deque<Row> adoptOnceWrappers(const std::vector<model::LinkedUnit> &units, Symbols &symbols) {
  const Code code{units, symbols};
  std::deque<Row> rows;
  size_t before;
  do { // wrappers of wrappers
    before = rows.size();
    code.forEachFunction([&](FuncId id) {
      Function &function = symbols.functions[id];
      if (function.external() || function.known) return;
      auto row = judge(code, id);
      if (!row) return;
      rows.push_back(*row);
      function.known = &rows.back();
    });
  } while (rows.size() != before);
  return rows;
}

} // namespace deadheat::link
