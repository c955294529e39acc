#include "analyse/domain/captures.h"

#include "link/definitions.h"
#include "link/field_names.h"

namespace deadheat::analyse {

using model::StatementKind;

// The variable on the stack of the function that the operand is the address of.
static std::optional<Captured> variableAt(const link::Definitions &definitions, link::FuncId function,
                                          const model::Operand &operand) {
  const link::Origin origin = link::originOf(definitions, operand);
  const model::Statement *made = origin.base.isValue() ? definitions.of(origin.base.value()) : nullptr;
  if (origin.indexed || !made || made->kind != StatementKind::Stack) return std::nullopt;
  return Captured{function, definitions.statementOf(origin.base.value()), origin.offset};
}

Captures::Captures(const link::Program &program, const Fields &fields) {
  const link::Code code{program.units, program.symbols};
  code.forEachFunction([&](link::FuncId function) {
    if (code.function(function).external()) return;
    std::optional<link::Definitions> definitions;
    code.forEachStatement(function, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
      const bool isWrite = statement.kind == StatementKind::Store || statement.kind == StatementKind::AtomicStore ||
                           statement.kind == StatementKind::AtomicUpdate;
      const uint32_t field =
          isWrite && statement.site.valid() ? fields.named(code.function(function).unit, statement.site) : 0;
      if (field == 0) return;
      if (!definitions) definitions.emplace(code, function);
      std::optional<Captured> stored = variableAt(*definitions, function, statement.b);
      auto [row, isNew] = rows_.try_emplace(field, stored);
      if (!isNew && row->second != stored) row->second.reset();
    });
  });
  for (const auto &row : rows_)
    if (row.second) variables_.insert({row.second->function, row.second->variable});
}

} // namespace deadheat::analyse
