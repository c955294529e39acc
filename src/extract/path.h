// Says in the words of the source what an access touches: `d->priv->stats.rx_p`, field `rx_p` of `struct stats`.
//
// Works backwards from the address through loads, field offsets and calls to a variable that debug info names, then
// forwards through the variable's type by byte offset, so it depends on no IR type. Where several variables hold a
// pointer on the way, the one whose type explains the access best gives the words.
//
// Assumes full debug info. Without it, paths have the names of globals and functions only.
// Cost    Each value of a function is described once.
// Misses  Values that the optimiser left without a name (shown as `?`), paths longer than kMaxDepth loads. walk.h has
//         the notation for what types do not tell. An index is shown by the variable that it was computed from, which may
//         have changed since.
#pragma once

#include <string>

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include "extract/type_index.h"
#include "extract/walk.h"
#include "ir/access.h"

namespace deadheat::extract {

struct AccessPath {
  std::string text;
  std::string type;       // of the object that holds the field
  std::string field;      // empty: no field
  uint32_t bytes = 0;     // of the object that the words name; 0: not known
  bool isPointee = false; // it is what a pointer points to
};

class PathNamer {
public:
  PathNamer(const llvm::Function &function, TypeIndex &types);

  AccessPath name(const ir::Access &access);

  // The words for what a pointer points to; empty: there are none. `wanted` is the name of the type it should have: an
  // object and its first member have one address.
  std::string target(const llvm::Value *pointer, llvm::StringRef wanted);

  // The class that a pointer points to, perhaps only declared, if all variables that hold it agree; null: unknown.
  const llvm::DICompositeType *classAt(const llvm::Value *pointer);

private:
  using Bases = llvm::SmallVector<Base, 2>;

  // The words for a value.
  Expression valueOf(const llvm::Value *value, unsigned depth);
  Expression describe(const llvm::Value *value, unsigned depth);
  Expression describeLoad(const llvm::LoadInst &load, unsigned depth);
  Expression describeCall(const llvm::CallBase &call, unsigned depth);
  Expression describeOperator(const llvm::Function &callee, const llvm::CallBase &call, unsigned depth);
  Expression describePart(const llvm::ExtractValueInst &part, unsigned depth);
  Expression describeArgument(const llvm::Argument &argument) const;
  Expression describeOperation(const llvm::BinaryOperator &operation, unsigned depth);
  template <typename Values> Expression describeMerge(Values &&values, unsigned depth);

  // The words for a place in memory.
  Place placeOf(const llvm::Value *pointer, const Extent &extent, unsigned depth);
  Bases namedBases(const llvm::Value *value);
  Base rootBase(const llvm::Value *value, unsigned depth);
  Base globalBase(const llvm::GlobalVariable &global);

  const llvm::Function &function_;
  const llvm::DataLayout &layout_;
  TypeIndex &types_;
  llvm::DenseMap<const llvm::Value *, Expression> memory_;
};

} // namespace deadheat::extract
