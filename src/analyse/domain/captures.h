// Members that hold the address of one variable: what a lambda captures by reference, `[&] { lock_guard guard(mutex); ++count; }`.
//
// A closure is made in one place and copied from there through std::function, queues and threads, where points-to takes its members for those
// of all others. What `mutex` of this closure refers to is known from where it is made.
//
// Claim   of(member) is the only variable of a function whose address any statement of the program stores into the member by name.
// Assumes no closure is written under another name; one activation of the function at a time, as for all that is on stacks.
// Cost    linear in statements.
// Misses  members that constructors set to what they are given.
#pragma once

#include <optional>
#include <set>
#include <utility>

#include "llvm/ADT/DenseMap.h"

#include "analyse/domain/fields.h"
#include "link/program.h"

namespace deadheat::analyse {

struct Captured {
  link::FuncId function;
  model::StatementId variable; // the Stack statement
  int64_t offset = 0;          // in it
  bool operator==(const Captured &) const = default;
};

class Captures {
public:
  Captures(const link::Program &program, const Fields &fields);

  std::optional<Captured> of(uint32_t field) const {
    auto found = rows_.find(field);
    return found == rows_.end() ? std::nullopt : found->second;
  }

  // Some member refers to it.
  bool has(link::FuncId function, model::StatementId variable) const {
    return variables_.contains({function, variable});
  }

private:
  llvm::DenseMap<uint32_t, std::optional<Captured>> rows_; // [field]; nothing: several, or something else
  std::set<std::pair<link::FuncId, model::StatementId>> variables_;
};

} // namespace deadheat::analyse
