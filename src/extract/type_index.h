// From the optimiser's name of a record to its description in debug info. Clang describes no variable that is only
// declared (`extern struct server server`) and no temporary, but the type of either may be described for another reason.
//
// Closures have no name in debug info; the optimiser's name of one is learnt from the lambda's call operator.
//
// Claim   A type is found only if its name is unique in the unit and its size agrees.
// Cost    All types of the unit, once, when first asked.
#pragma once

#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Module.h"

namespace deadheat::extract {

class TypeIndex {
public:
  explicit TypeIndex(const llvm::Module &module) : module_(module) {}

  // Null: no record, or not described.
  const llvm::DIType *find(const llvm::Type *type);

  // The record that the compiler's alias analysis knows by this name: that of the source in C, `_ZTS...` in C++. Null: none, or two.
  const llvm::DIType *findTagged(llvm::StringRef name);

  // Every record with a name, in the order of debug info.
  llvm::ArrayRef<const llvm::DICompositeType *> records();

private:
  void build();

  const llvm::Module &module_;
  bool isBuilt_ = false;
  std::vector<const llvm::DICompositeType *> all_;
  llvm::StringMap<const llvm::DICompositeType *> records_; // null: two records have the name
  llvm::DenseMap<const llvm::StructType *, const llvm::DICompositeType *> closures_;
};

} // namespace deadheat::extract
