#include "extract/emitter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

namespace deadheat::extract {

using llvm::dyn_cast;
using model::Operand;

bool isFollowed(const llvm::Type *type) {
  if (type->isPointerTy()) return true;
  if (type->isIntegerTy()) return type->getIntegerBitWidth() <= 64;
  return type->isAggregateType();
}

Emitter::Emitter(const llvm::Function &function, SymbolTable &symbols, model::Unit &unit)
    : layout_(function.getParent()->getDataLayout()), symbols_(symbols), unit_(unit) {
  for (const llvm::Argument &argument : function.args()) operands_[&argument] = Operand::value(fresh());
}

Operand Emitter::operand(const llvm::Value *value) {
  if (auto found = operands_.find(value); found != operands_.end()) return found->second;
  const auto *known = dyn_cast<llvm::Constant>(value);
  return known ? constant(*known) : Operand();
}

Operand Emitter::constant(const llvm::Constant &constant) {
  if (const auto *number = dyn_cast<llvm::ConstantInt>(&constant)) {
    if (number->getType()->isIntegerTy(1)) return Operand::number(number->isOne());
    return number->getValue().getSignificantBits() <= 64 ? Operand::number(number->getSExtValue()) : Operand();
  }
  if (llvm::isa<llvm::ConstantPointerNull>(constant)) return Operand::number(0);
  // `(void *)3`: a number in the disguise of a pointer.
  if (const auto *cast = dyn_cast<llvm::ConstantExpr>(&constant);
      cast && cast->getOpcode() == llvm::Instruction::IntToPtr)
    if (const auto *number = dyn_cast<llvm::ConstantInt>(cast->getOperand(0))) return this->constant(*number);
  // A result that was not set yet, in the rounds before a loop returns: whoever uses it has set it.
  if (llvm::isa<llvm::UndefValue>(constant) && constant.getType()->isPointerTy()) return Operand::number(0);
  if (const auto *record = dyn_cast<llvm::ConstantStruct>(&constant)) return aggregate(*record);
  const llvm::Constant *pointer = &constant;
  if (const auto *cast = dyn_cast<llvm::ConstantExpr>(pointer); cast && cast->isCast()) pointer = cast->getOperand(0);
  if (!pointer->getType()->isPointerTy()) return {};
  llvm::APInt offset(layout_.getIndexTypeSizeInBits(pointer->getType()), 0);
  const llvm::Value *base = pointer->stripAndAccumulateConstantOffsets(layout_, offset, /*AllowNonInbounds=*/true);
  const auto *global = dyn_cast<llvm::GlobalValue>(base);
  auto symbol = global ? symbols_.of(*global) : std::nullopt;
  if (!symbol) return {};
  if (offset.isZero()) return Operand::symbol(*symbol);
  return compute({.kind = model::StatementKind::Field, .a = Operand::symbol(*symbol), .number = offset.getSExtValue()});
}

// An aggregate is one value, and of its parts what points counts: a pointer to a member begins with its function, one to a virtual
// member with a number, its byte in the vtable plus one.
Operand Emitter::aggregate(const llvm::ConstantStruct &record) {
  for (const llvm::Use &part : record.operands())
    if (Operand found = constant(*llvm::cast<llvm::Constant>(part.get())); found.isSymbol()) return found;
  const auto *first = dyn_cast<llvm::ConstantInt>(record.getOperand(0));
  const bool isPair = record.getNumOperands() == 2 && llvm::isa<llvm::ConstantInt>(record.getOperand(1));
  return first && isPair && first->getType()->isIntegerTy(64) && first->getValue()[0] ? constant(*first) : Operand();
}

Operand Emitter::compute(model::Statement row) {
  row.result = fresh();
  unit_.statements.add(row);
  return Operand::value(row.result);
}

void Emitter::define(const llvm::Instruction &value, model::Statement row) {
  if (!value.use_empty() && isFollowed(value.getType())) row.result = number(value);
  unit_.statements.add(row);
}

model::ValueId Emitter::number(const llvm::Instruction &value) {
  model::ValueId id = fresh();
  operands_[&value] = Operand::value(id);
  return id;
}

void Emitter::addForward(model::Statement row, const llvm::Value &value) {
  forward_.emplace_back(unit_.statements.add(row), &value);
}

void Emitter::finish() {
  size_t statements = unit_.statements.size();
  for (auto [statement, value] : forward_) {
    // Evaluated first: it must not add a statement any more, and the row must not be held while it might.
    Operand found = operand(value);
    unit_.statements[statement].a = found;
  }
  DEADHEAT_CHECK(unit_.statements.size() == statements);
}

} // namespace deadheat::extract
