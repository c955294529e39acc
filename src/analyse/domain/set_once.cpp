#include "analyse/domain/set_once.h"

#include "link/definitions.h"

namespace deadheat::analyse {

using model::Operand;
using model::StatementKind;

// It is what an allocator has just returned.
static bool isFresh(const link::Code &code, link::FuncId function, const Operand &value) {
  if (!value.isValue()) return false;
  link::Definitions definitions(code, function);
  const Operand plain = definitions.strip(value);
  const model::Statement *made = plain.isValue() ? definitions.of(plain.value()) : nullptr;
  if (!made || made->kind != StatementKind::Call) return false;
  const link::UnitId unit = code.function(function).unit;
  const model::Call &call = code.unit(unit).calls[model::CallId(static_cast<uint32_t>(made->number))];
  const link::FuncId callee = code.directCallee(unit, call);
  const knowledge::Row *row = callee.valid() ? code.function(callee).known : nullptr;
  return row && row->action == knowledge::Action::Allocate;
}

SetOnce::SetOnce(const link::Program &program) : isSetOnce_(static_cast<unsigned>(program.symbols.variables.size())) {
  const link::Code code{program.units, program.symbols};
  llvm::BitVector isUsedOtherwise(isSetOnce_.size());
  code.forEachFunction([&](link::FuncId function) {
    if (code.function(function).external()) return;
    const link::UnitId unitId = code.function(function).unit;
    const model::Unit &unit = code.unit(unitId);
    auto variableOf = [&](const Operand &operand) {
      return operand.isSymbol() ? program.symbols.target(unitId, operand.symbol()).variable : link::GlobalId();
    };
    auto useOtherwise = [&](const Operand &operand) {
      if (link::GlobalId variable = variableOf(operand); variable.valid()) isUsedOtherwise.set(variable.value());
    };
    code.forEachStatement(function, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
      const bool isStore = statement.kind == StatementKind::Store;
      if (link::GlobalId set = isStore ? variableOf(statement.a) : link::GlobalId(); set.valid()) {
        if (isSetOnce_[set.value()] || !isFresh(code, function, statement.b)) isUsedOtherwise.set(set.value());
        isSetOnce_.set(set.value());
      }
      if (!isStore && statement.kind != StatementKind::Load) useOtherwise(statement.a);
      useOtherwise(statement.b);
      if (statement.kind != StatementKind::Call) return;
      const model::Call &call = unit.calls[model::CallId(static_cast<uint32_t>(statement.number))];
      for (uint32_t i = 0; i < call.argumentCount; ++i)
        useOtherwise(unit.arguments[model::ArgumentId(call.firstArgument.value() + i)].value);
    });
  });
  for (uint32_t u = 0; u < program.units.size(); ++u)
    for (const model::Initialiser &row : program.units[u].unit.initialisers)
      for (model::SymbolId symbol : {row.variable, row.target})
        if (link::GlobalId variable = program.symbols.target(link::UnitId(u), symbol).variable; variable.valid())
          isUsedOtherwise.set(variable.value());
  isSetOnce_.reset(isUsedOtherwise);
}

} // namespace deadheat::analyse
