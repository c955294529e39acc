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

bool isOwn(const llvm::DbgVariableRecord &record) {
  return !record.getDebugLoc().getInlinedAt() && !record.getVariable()->getName().empty();
}

Expression whole(const llvm::DbgVariableRecord &record) {
  return {record.getVariable()->getName().str(), record.getVariable()->getType()};
}

Base object(const llvm::DbgVariableRecord &record) {
  auto fragment = record.getExpression()->getFragmentInfo();
  return {whole(record), false, fragment ? static_cast<int64_t>(fragment->OffsetInBits / 8) : 0};
}

bool isRecord(const llvm::DbgVariableRecord &record) { return recordOf(record.getVariable()->getType()) != nullptr; }

// The variable, or the part of it that a fragment means; of a class that holds nothing but a pointer, that pointer.
Expression part(const llvm::DbgVariableRecord &record) {
  auto fragment = record.getExpression()->getFragmentInfo();
  if (!fragment && !isRecord(record)) return whole(record);
  Extent extent{
      .wanted = {fragment ? fragment->SizeInBits / 8 : sizeInBytes(record.getVariable()->getType()), Form::Pointer}};
  return walk(object(record), {}, extent, [](const llvm::Value *) { return Expression{"?"}; }).expression;
}

// What debug info says about a value. An assignment tells both a variable's value and where it lives.
llvm::SmallVector<llvm::DbgVariableRecord *, 4> recordsOf(const llvm::Value *value) {
  llvm::SmallVector<llvm::DbgVariableRecord *, 4> records;
  if (isa<llvm::Constant>(value)) return records;
  llvm::SmallVector<llvm::DbgValueInst *, 1> old;
  llvm::findDbgValues(old, const_cast<llvm::Value *>(value), &records);
  llvm::erase_if(records, [](const llvm::DbgVariableRecord *record) { return !isOwn(*record); });
  return records;
}

} // namespace

llvm::SmallVector<Base, 2> variablesAt(const llvm::Value *pointer) {
  llvm::SmallVector<Base, 2> found;
  if (isa<llvm::Constant>(pointer)) return found;
  auto records = recordsOf(pointer);
  llvm::append_range(records, llvm::findDVRDeclares(const_cast<llvm::Value *>(pointer)));
  for (const llvm::DbgVariableRecord *record : records)
    if (livesAt(*record, pointer)) found.push_back(object(*record));
  return found;
}

llvm::SmallVector<Expression, 2> variablesWithValue(const llvm::Value *value) {
  llvm::SmallVector<Expression, 2> found;
  auto records = recordsOf(value);
  llvm::stable_sort(records,
                    [](auto *a, auto *b) { return !isRecord(*a) && isRecord(*b); }); // guards and the like know it too
  for (const llvm::DbgVariableRecord *record : records)
    if (hasValue(*record, value)) found.push_back(part(*record));
  return found;
}

} // namespace deadheat::extract
