// Loops over a part of an array that the function was given: `for (i = part->first; i < part->last; ++i) a[i] = ...`, or every
// n-th element from a number on.
//
// Claim   of(index) is the parameter by which a loop's part is chosen, where the loop begins at what was read or computed from a
//         parameter, and either ends at such a bound too or leaves elements out; or where it goes through one of blocks of so many:
//         `for (i = 0; i < 16; ++i) a[id * 16 + i] = ...`.
//         Of a number beside the loop's own none is told, where the function writes elements by one of them: `a[i] = a[i + 1]` reads
//         what the next part has. A loop that begins or ends one earlier or later leaves room for that.
//         computedFrom(index) is the parameter that such a part may be chosen by in a caller, where helpers compute the index.
// Assumes parts that different threads are given do not overlap; so it only says who chooses, and filters demote by it.
//         What is computed is not told by models: `i * width + j` and `i & 1` are both chosen by `i`.
// Cost    per index that is asked for, a few steps back, and a look at the other indices of its loop; for each such loop of a function one
//         pass over its statements, and two for all.
// Misses  bounds that pass through memory or calls, pointers that walk.
#pragma once

#include <optional>
#include <vector>

#include "llvm/ADT/DenseMap.h"

#include "link/definitions.h"
#include "link/program.h"

namespace deadheat::analyse {

class Slices {
public:
  struct Source {
    uint32_t parameter = 0;
    uint32_t loads = 0;   // on the way to the number
    bool isBlock = false; // nobody has elements of it who has another number
  };

  Slices(const link::Program &program, link::FuncId function)
      : code_{program.units, program.symbols}, function_(function), body_(program.bodyOf(function)) {}

  std::optional<Source> of(const model::Operand &index);
  // Of an element of an element of the same size: `mine[i]` of `mine = &a[id * 16]`.
  std::optional<Source> ofWalk(const model::Statement &index);
  // The parameter that a number is, or is computed or read from.
  std::optional<Source> sourceOf(const model::Operand &operand);
  // Of a number that is computed from several, the parameter that is most deeply inside: `y` of `y * width + x`.
  std::optional<uint32_t> computedFrom(const model::Operand &index);
  // It is computed from a number that is computed itself, and another one.
  bool isInRow(const model::Operand &index);

private:
  using Found = std::optional<Source>;

  const link::Definitions &definitions();
  const model::Statement *made(const model::Operand &operand);
  Found indexFrom(const model::Operand &operand, int depth);
  Found sourceFrom(const model::Operand &operand, int depth);
  Found sliceOf(model::ValueId phi);
  Found blockOf(const model::Operand &part, const model::Operand &index);
  std::optional<int64_t> countOf(model::Operand index);
  void deepest(const model::Operand &operand, int depth, int &found, std::optional<uint32_t> &parameter);
  bool isBounded(const model::Operand &phi, const model::Operand &next);

  // How an index is computed from a loop's number: by what first; nothing: it is that number.
  struct Chain {
    model::Operand phi;
    model::Operand first;
    bool byNumbers = true; // and by nothing else
  };
  std::optional<Chain> chainOf(const model::Operand &index, int depth);
  struct Indexed {
    const model::Statement *statement; // an Index
    Chain chain;
    bool isWritten = false;
  };
  const std::vector<Indexed> &indexed(const model::Operand &phi);
  bool leavesPart(const model::Operand &index);
  bool isExact(const model::Operand &phi);
  bool areExactBounds(const model::Operand &phi);
  bool isSame(model::Operand a, model::Operand b, int depth);

  link::Code code_;
  link::FuncId function_;
  const model::Function &body_;
  std::optional<link::Definitions> definitions_;                          // once an index was asked for
  llvm::DenseMap<uint32_t, Found> known_;                                 // [phi]
  llvm::DenseMap<uint32_t, Found> sources_;                               // [value]
  llvm::DenseMap<uint32_t, bool> leaving_;                                // [value]: leavesPart
  llvm::DenseMap<uint32_t, bool> exact_;                                  // [phi]
  std::optional<llvm::DenseMap<uint32_t, std::vector<Indexed>>> indexed_; // [phi]
};

} // namespace deadheat::analyse
