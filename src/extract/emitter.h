// Appends the statements of one function to the unit, and knows which value of the model stands for which of LLVM's.
//
// A value that is the same number as another one (a cast, a bare copy) has no statement: it is that other one.
// Values that are no numbers or pointers (floats, vectors) are not known.
#pragma once

#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include "extract/symbols.h"
#include "model/unit.h"

namespace deadheat::extract {

// Whether a value of this type is followed: pointers, numbers of at most 64 bits, and records of such.
bool isFollowed(const llvm::Type *type);

class Emitter {
public:
  Emitter(const llvm::Function &function, SymbolTable &symbols, model::Unit &unit);

  // The operand that stands for `value`. A constant address inside an object takes a statement first.
  model::Operand operand(const llvm::Value *value);

  // Appends `row`; if `value` is followed and used, the row's result stands for it from now on.
  void define(const llvm::Instruction &value, model::Statement row);
  void add(model::Statement row) { unit_.statements.add(row); }

  // Appends `row` with a result that stands for no value of LLVM's.
  model::Operand compute(model::Statement row);

  void alias(const llvm::Value &value, model::Operand operand) { operands_[&value] = operand; }

  // A statement that uses `value` as its operand a, though it may come later (a phi).
  void addForward(model::Statement row, const llvm::Value &value);
  model::ValueId number(const llvm::Instruction &value);

  // Gives the statements added by addForward their operands; all values have statements by now.
  void finish();

  uint32_t valueCount() const { return nextValue_; }
  const llvm::DataLayout &layout() const { return layout_; }

private:
  model::Operand constant(const llvm::Constant &constant);
  model::Operand aggregate(const llvm::ConstantStruct &record);
  model::ValueId fresh() { return model::ValueId(nextValue_++); }

  const llvm::DataLayout &layout_;
  SymbolTable &symbols_;
  model::Unit &unit_;
  uint32_t nextValue_ = 0;
  llvm::DenseMap<const llvm::Value *, model::Operand> operands_;
  std::vector<std::pair<model::StatementId, const llvm::Value *>> forward_;
};

} // namespace deadheat::extract
