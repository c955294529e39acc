// Functions and variables with static storage, numbered: every definition of the module, and of the declarations those
// that its code or its initial values mention.
//
// Misses  Constants without a name and without pointers (string literals): no thread writes them, and as one symbol
//         each they would be most of the table.
#pragma once

#include <optional>

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Module.h"

#include "model/unit.h"

namespace deadheat::extract {

// `i32(ptr,ptr)`, `void(ptr,...)`: what the machine sees of a function's type.
std::string signatureOf(const llvm::FunctionType &type);

class SymbolTable {
public:
  explicit SymbolTable(model::Unit &unit) : unit_(unit) {}

  // Every definition, in order; functions of the unit must have been added, in the order of the module.
  void addDefinitions(const llvm::Module &module);

  // Nothing for what has no symbol.
  std::optional<model::SymbolId> of(const llvm::GlobalValue &global);

private:
  model::SymbolId add(const llvm::GlobalValue &global);
  void addVersions(const llvm::Module &module);
  void describe(const llvm::Function &function, model::Symbol &row);
  void describe(const llvm::GlobalVariable &variable, model::Symbol &row);

  model::Unit &unit_;
  llvm::DenseMap<const llvm::GlobalValue *, model::SymbolId> ids_;
};

} // namespace deadheat::extract
