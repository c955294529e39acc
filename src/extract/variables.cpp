#include "extract/variables.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constant.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugProgramInstruction.h"

namespace deadheat::extract {

namespace {

bool isOnly(const llvm::DIExpression &expression, uint64_t operation) {
  return expression.getNumElements() == 1 && expression.getElement(0) == operation;
}

bool isPlain(const llvm::DIExpression &expression) {
  return expression.getNumElements() == 0 || (expression.isFragment() && expression.getNumElements() == 3);
}

bool isDeclare(const llvm::DbgVariableRecord &record) {
  return record.getType() == llvm::DbgVariableRecord::LocationType::Declare;
}

bool livesAt(const llvm::DbgVariableRecord &record, const llvm::Value *pointer) {
  if (record.isDbgAssign())
    return record.getAddress() == pointer && record.getAddressExpression()->getNumElements() == 0;
  const llvm::DIExpression &expression = *record.getExpression();
  return isDeclare(record) ? expression.getNumElements() == 0 : isOnly(expression, llvm::dwarf::DW_OP_deref);
}

bool hasValue(const llvm::DbgVariableRecord &record, const llvm::Value *value) {
  return !isDeclare(record) && !record.hasArgList() && record.getVariableLocationOp(0) == value &&
         isPlain(*record.getExpression());
}

// The variable, or the part of it that a fragment means.
Expression variable(const llvm::DbgVariableRecord &record) {
  const llvm::DILocalVariable &local = *record.getVariable();
  Expression whole{local.getName().str(), local.getType()};
  auto fragment = record.getExpression()->getFragmentInfo();
  if (!fragment) return whole;
  Address address{nullptr, static_cast<int64_t>(fragment->OffsetInBits / 8), {}};
  return walk({whole, false}, address, {.wanted = {fragment->SizeInBits / 8}},
              [](const llvm::Value *) { return Expression{"?"}; })
      .expression;
}

bool isOwn(const llvm::DbgVariableRecord &record) {
  return !record.getDebugLoc().getInlinedAt() && !record.getVariable()->getName().empty();
}

// The variables that debug info connects with a value: `at` if they live where it points to, else those that have this
// value. An assignment record is both: it tells a variable's value and where it lives.
llvm::SmallVector<Expression, 2> variables(const llvm::Value *value, bool at) {
  llvm::SmallVector<Expression, 2> found;
  if (isa<llvm::Constant>(value)) return found;
  auto *mutableValue = const_cast<llvm::Value *>(value);
  llvm::SmallVector<llvm::DbgValueInst *, 1> old;
  llvm::SmallVector<llvm::DbgVariableRecord *, 4> records;
  llvm::findDbgValues(old, mutableValue, &records);
  if (at) llvm::append_range(records, llvm::findDVRDeclares(mutableValue));
  for (const llvm::DbgVariableRecord *record : records)
    if (isOwn(*record) && (at ? livesAt(*record, value) : hasValue(*record, value))) found.push_back(variable(*record));
  return found;
}

} // namespace

llvm::SmallVector<Expression, 2> variablesAt(const llvm::Value *pointer) { return variables(pointer, /*at=*/true); }

llvm::SmallVector<Expression, 2> variablesWithValue(const llvm::Value *value) { return variables(value, /*at=*/false); }

} // namespace deadheat::extract
