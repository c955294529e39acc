// The code of one function: its blocks in an order in which values come before their uses, with edges and statements.
#pragma once

#include "extract/symbols.h"
#include "extract/type_index.h"
#include "ir/site.h"
#include "model/unit.h"

namespace deadheat::extract {

// Appends the code of `body` to the unit, as that of its function `id`; all functions before it have theirs. `body` is
// the function itself or a clone of it, into which library code may have been inlined (`isReduced`).
void extractBody(llvm::Function &body, model::FunctionId id, bool isReduced, SymbolTable &symbols, TypeIndex &types,
                 const ir::SiteIndex &index, model::Unit &unit);

} // namespace deadheat::extract
