#include "link/stack_slots.h"

namespace deadheat::link {

using model::Operand;
using model::Statement;
using model::StatementKind;

StackSlots::StackSlots(const Code &code, FuncId function, const Definitions &definitions) : definitions_(definitions) {
  code.forEachStatement(function, [&](model::BlockId, model::StatementId, const Statement &statement) {
    if (statement.kind == StatementKind::Stack) slots_.try_emplace(statement.result.value());
  });
  if (slots_.empty()) return;
  code.forEachStatement(function, [&](model::BlockId, model::StatementId, const Statement &statement) {
    if (statement.kind == StatementKind::Load || statement.kind == StatementKind::Copy) return;
    if (statement.kind == StatementKind::Call) return addCall(code, function, statement);
    if (Slot *slot = statement.kind == StatementKind::Store ? find(statement.a) : nullptr)
      slot->stored.push_back(statement.b);
    else
      leave(statement.a);
    leave(statement.b);
  });
}

StackSlots::Slot *StackSlots::find(const Operand &operand) {
  if (!operand.isValue()) return nullptr;
  Operand slot = definitions_.strip(operand);
  auto found = slot.isValue() ? slots_.find(slot.value().value()) : slots_.end();
  return found == slots_.end() ? nullptr : &found->second;
}

void StackSlots::leave(const Operand &operand) {
  if (Slot *slot = find(operand)) slot->isKept = false;
}

void StackSlots::addCall(const Code &code, FuncId function, const Statement &statement) {
  const model::Unit &unit = code.unitOf(function);
  const model::Call &call = unit.calls[model::CallId(static_cast<uint32_t>(statement.number))];
  FuncId callee = code.directCallee(code.function(function).unit, call);
  if (callee.valid() && (code.function(callee).flags & model::kLibrary) != 0) return;
  for (uint32_t i = 0; i < call.argumentCount; ++i)
    leave(unit.arguments[model::ArgumentId(call.firstArgument.value() + i)].value);
}

} // namespace deadheat::link
