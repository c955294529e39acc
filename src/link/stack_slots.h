// What a function stores into variables of its own that have an address: a container gets a pointer by reference.
//
// Claim   forEachStored visits all that a load may find in such a variable, if it returns true.
// Assumes the C++ library takes references to pointers to read them. std::swap of the variable with another one goes unseen.
// Cost    one pass over the function.
// Misses  variables whose address goes anywhere else, and members of variables.
#pragma once

#include <vector>

#include "llvm/ADT/DenseMap.h"

#include "link/definitions.h"

namespace deadheat::link {

class StackSlots {
public:
  StackSlots(const Code &code, FuncId function, const Definitions &definitions);

  template <typename Visit> bool forEachStored(const model::Statement &load, Visit visit) const {
    if (load.kind != model::StatementKind::Load || !load.a.isValue()) return false;
    auto slot = slots_.find(definitions_.strip(load.a).value().value());
    if (slot == slots_.end() || !slot->second.isKept) return false;
    for (const model::Operand &stored : slot->second.stored) visit(stored);
    return true;
  }

private:
  struct Slot {
    bool isKept = true; // its address goes nowhere else
    std::vector<model::Operand> stored = {};
  };

  Slot *find(const model::Operand &operand);
  void leave(const model::Operand &operand);
  void addCall(const Code &code, FuncId function, const model::Statement &statement);

  const Definitions &definitions_;
  llvm::DenseMap<uint32_t, Slot> slots_; // by value
};

} // namespace deadheat::link
