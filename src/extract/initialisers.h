// The pointers in the initial values of variables (tables of functions, vtables, static lists), what an ifunc may stand
// for, and which classes with virtual functions derive from which.
//
// Misses  pointers that are stored as differences (relative vtables); what an ifunc's resolver takes from memory.
#pragma once

#include "llvm/IR/Module.h"

#include "extract/symbols.h"
#include "extract/type_index.h"
#include "model/unit.h"

namespace deadheat::extract {

void extractInitialisers(const llvm::Module &module, SymbolTable &symbols, model::Unit &unit);

void extractInheritance(TypeIndex &types, model::Unit &unit);

// Marks the functions that run before or after main.
void markStartUp(const llvm::Module &module, SymbolTable &symbols, model::Unit &unit);

} // namespace deadheat::extract
