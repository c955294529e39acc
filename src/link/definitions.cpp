#include "link/definitions.h"

namespace deadheat::link {

Definitions::Definitions(const Code &code, FuncId function)
    : unit_(code.unitOf(function)), parameters_(code.function(function).parameterCount),
      first_(code.function(function).valueCount) {
  code.forEachStatement(function, [&](model::BlockId, model::StatementId id, const model::Statement &statement) {
    if (statement.result.valid() && !first_[statement.result.value()].valid()) first_[statement.result.value()] = id;
  });
}

model::Operand Definitions::strip(model::Operand operand) const {
  while (operand.isValue()) {
    const model::Statement *statement = of(operand.value());
    if (!statement || statement->kind != model::StatementKind::Copy) break;
    operand = statement->a;
  }
  return operand;
}

int Definitions::parameter(model::Operand operand) const {
  operand = strip(operand);
  return operand.isValue() && operand.value().value() < parameters_ ? static_cast<int>(operand.value().value()) : -1;
}

signed char Definitions::parameter(const model::Call &call, int argument) const {
  if (argument < 0 || static_cast<uint32_t>(argument) >= call.argumentCount) return -1;
  return static_cast<signed char>(
      parameter(unit_.arguments[model::ArgumentId(call.firstArgument.value() + argument)].value));
}

} // namespace deadheat::link
