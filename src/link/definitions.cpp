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

Element elementOf(const Code &code, UnitId unit, const model::Statement &made) {
  if (made.kind == model::StatementKind::Index) return {made.a, made.b};
  if (made.kind != model::StatementKind::Call) return {};
  const model::Unit &owner = code.unit(unit);
  const model::Call &call = owner.calls[model::CallId(static_cast<uint32_t>(made.number))];
  FuncId callee = code.directCallee(unit, call);
  if (!callee.valid() || call.argumentCount != 2) return {};
  std::string_view name = code.function(callee).display;
  bool isChoice = name.find("::operator[](") != std::string_view::npos || name.find("::at(") != std::string_view::npos;
  bool isLibrary = name.starts_with("std::") || (code.function(callee).flags & model::kLibrary) != 0;
  if (!isChoice || !isLibrary) return {};
  auto argument = [&](uint32_t i) { return owner.arguments[model::ArgumentId(call.firstArgument.value() + i)].value; };
  return {argument(0), argument(1)};
}

} // namespace deadheat::link
