#include "analyse/domain/owning.h"

#include <algorithm>
#include <optional>

#include "link/definitions.h"

namespace deadheat::analyse {

static bool isAllocation(const link::Program &program, link::FuncId function, const model::Statement *made) {
  if (!made || made->kind != model::StatementKind::Call) return false;
  const link::CallSiteId site =
      program.calls.site(program.function(function).unit, model::CallId(static_cast<uint32_t>(made->number)));
  auto callees = program.calls.callees[site];
  return !callees.empty() && std::ranges::all_of(callees, [&](link::FuncId callee) {
    const knowledge::Row *row = program.function(callee).known;
    return row ? row->action == knowledge::Action::Allocate : program.makers[callee.value()];
  });
}

Owning::Owning(const link::Program &program, const Fields &fields) {
  const link::Code code{program.units, program.symbols};
  code.forEachFunction([&](link::FuncId function) {
    if (code.function(function).external()) return;
    std::optional<link::Definitions> definitions;
    code.forEachStatement(function, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
      if (statement.kind != model::StatementKind::Store || !statement.site.valid() || statement.b.isNumber()) return;
      const uint32_t field = fields.named(code.function(function).unit, statement.site);
      if (field == 0) return;
      if (!definitions) definitions.emplace(code, function);
      const bool isOwn = statement.b.isValue() && isAllocation(program, function, definitions->of(statement.b.value()));
      rows_.try_emplace(field, true).first->second &= isOwn;
    });
  });
}

} // namespace deadheat::analyse
