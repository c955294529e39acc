#include "analyse/symbolic/answers.h"

#include "llvm/ADT/StringRef.h"

#include "model/moves.h"

namespace deadheat::analyse {

using model::Operand;
using model::Statement;
using model::StatementKind;

Answers::Answers(const link::Code &code, link::FuncId function)
    : code_(code), unit_(code.function(function).unit), asked_(code.bodyOf(function).valueCount),
      counted_(asked_.size()), isLibrary_((code.function(function).flags & model::kLibrary) != 0) {
  for (bool isGrown = true; isGrown;) {
    isGrown = false;
    code.forEachStatement(function, [&](model::BlockId, model::StatementId, const Statement &statement) {
      isGrown |= markFrom(statement);
    });
  }
}

bool Answers::mark(const Operand &operand, llvm::BitVector &values) {
  if (!operand.isValue() || values.test(operand.value().value())) return false;
  values.set(operand.value().value());
  return true;
}

// One more value is asked for.
bool Answers::markFrom(const Statement &statement) {
  auto both = [&](llvm::BitVector &values) { return mark(statement.a, values) | mark(statement.b, values); };
  switch (statement.kind) {
  case StatementKind::Fence: hasFence_ = true; return false;
  case StatementKind::Call:
    if (const link::Function *callee = calleeOf(callOf(statement)))
      hasFence_ |= llvm::StringRef(callee->display).contains("atomic_thread_fence");
    return false;
  case StatementKind::Compare:
  case StatementKind::Branch: {
    auto predicate = static_cast<model::Predicate>(statement.number);
    return both(predicate == model::Predicate::Equal || predicate == model::Predicate::NotEqual ? asked_ : counted_);
  }
  case StatementKind::Switch:
  case StatementKind::Return: return mark(statement.a, asked_);
  case StatementKind::Copy:
  case StatementKind::Phi:
  case StatementKind::Compute: return statement.result.valid() && asked_.test(statement.result.value()) && both(asked_);
  default: return false;
  }
}

const model::Call &Answers::callOf(const Statement &statement) const {
  return code_.unit(unit_).calls[model::CallId(static_cast<uint32_t>(statement.number))];
}

const link::Function *Answers::calleeOf(const model::Call &call) const {
  link::FuncId callee = code_.directCallee(unit_, call);
  return callee.valid() ? &code_.function(callee) : nullptr;
}

bool Answers::isRelaxed(const Statement &statement) const {
  if (hasFence_ || isLibrary_) return false;
  if (statement.kind != StatementKind::Call) return model::orderOf(statement) == model::Order::Relaxed;
  const model::Call &call = callOf(statement);
  const link::Function *callee = calleeOf(call);
  if (!callee || call.argumentCount == 0 || !llvm::StringRef(callee->display).contains("std::memory_order)"))
    return false;
  const Operand order =
      code_.unit(unit_).arguments[model::ArgumentId(call.firstArgument.value() + call.argumentCount - 1)].value;
  return order.isNumber() && order.index == static_cast<int64_t>(model::Order::Relaxed);
}

} // namespace deadheat::analyse
