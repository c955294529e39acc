// What a function learns of other threads by its atomic operations.
//
// Who only counts (`served.fetch_add(1)`), or takes a number (`i = next++; if (i >= size) return;`), comes after nobody: all do the same, in any
// order. Who asks whether it was the last one, or exchanges a word, has an answer.
//
// Claim   isAsked: the value is compared for equality with something, decides a switch, or is returned; itself, or what is computed from it. It
//         is not compared by less and greater, too: that is a number (`i = next++; i < size && i % 2`).
//         isRelaxed: the statement orders nothing, and no fence of the function does it instead.
// Cost    linear in statements, times the depth of expressions across loops.
// Misses  answers that are kept in memory, or told by less and greater.
#pragma once

#include "llvm/ADT/BitVector.h"

#include "link/code.h"

namespace deadheat::analyse {

class Answers {
public:
  Answers(const link::Code &code, link::FuncId function);

  bool isAsked(model::ValueId value) const {
    return value.valid() && asked_.test(value.value()) && !counted_.test(value.value());
  }
  // An atomic statement, or a call of a member of std::atomic.
  bool isRelaxed(const model::Statement &statement) const;

private:
  bool markFrom(const model::Statement &statement);
  static bool mark(const model::Operand &operand, llvm::BitVector &values);
  const link::Function *calleeOf(const model::Call &call) const;
  const model::Call &callOf(const model::Statement &statement) const;

  link::Code code_;
  link::UnitId unit_;
  llvm::BitVector asked_;   // [value]
  llvm::BitVector counted_; // [value]
  bool hasFence_ = false;
  bool isLibrary_; // std::atomic's members do what their callers ask for
};

} // namespace deadheat::analyse
