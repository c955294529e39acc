// What a statement does to an atomic, by itself or by a call of a function that does no more: std::atomic's members, wrappers of builtins
// and of assembly.
//
// Claim   A function is such a one if all it does to memory is to update, or to store, the same parameter's atomic in every way through it,
//         and to leave what it has read in another parameter (`expected`); it has no loop, and what an update has found is returned.
// Cost    linear in statements; functions of more than kMaxBlocks blocks are none.
#pragma once

#include <map>
#include <optional>

#include "link/program.h"
#include "model/moves.h"

namespace deadheat::analyse {

struct AtomicStep {
  bool isUpdate = false;       // what was there is looked at
  model::Operand address = {}; // with the offset
  int64_t offset = 0;
  model::Operand value = {}; // what is written; none: not known
  model::Move move = {};     // of what was there
  model::SiteId site = {};   // invalid: a call's

  bool isSamePlace(const AtomicStep &other) const { return address == other.address && offset == other.offset; }
};

class AtomicSteps {
public:
  explicit AtomicSteps(const link::Program &program);

  std::optional<AtomicStep> at(link::UnitId unit, const model::Statement &statement) const;
  bool isWrapper(link::FuncId function) const { return wrappers_.contains(function); }
  // In one of its statements.
  bool areUpdatedIn(link::FuncId function) const;

private:
  friend class AtomicWrapperFinder;

  // Of a function; `value` may be one of its parameters, as `address` is.
  using Wrappers = std::map<link::FuncId, AtomicStep>;

  link::Code code_;
  Wrappers wrappers_;
};

} // namespace deadheat::analyse
