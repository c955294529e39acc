// Pointer members that lead to what was made for them: `part.sum = new Sum`.
//
// Claim   has(member): every statement of the program that stores into the member by name stores what a call has just allocated, or null.
// Assumes nobody writes it under another name, or copies the pointer elsewhere for others.
// Cost    linear in statements.
// Misses  pointers that are moved from one object to another; members that constructors set to what they are given.
#pragma once

#include "llvm/ADT/DenseMap.h"

#include "analyse/domain/fields.h"
#include "link/program.h"

namespace deadheat::analyse {

class Owning {
public:
  Owning(const link::Program &program, const Fields &fields);

  bool has(uint32_t field) const { return rows_.lookup(field); }

private:
  llvm::DenseMap<uint32_t, bool> rows_; // [field]: nothing else was ever stored there
};

} // namespace deadheat::analyse
