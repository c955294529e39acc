// The loops of a function: which blocks repeat, and within which innermost loop each lies.
//
// Claim   Two blocks with the same innermost loop run in the same iteration of it, or one of them not at all.
// Assumes an irreducible cycle has the header that is first in the function.
// Cost    linear in blocks times the depth of nesting.
#pragma once

#include <vector>

#include "link/code.h"

namespace deadheat::link {

struct Loops {
  static constexpr uint32_t kNone = 0;
  std::vector<uint32_t> innermost; // [block of the function]: a number of the loop; kNone: in no loop
  std::vector<uint32_t> outermost; // likewise

  bool repeats(uint32_t block) const { return innermost[block] != kNone; }
};

Loops findLoops(const Code &code, FuncId function);

// Each round of the innermost loop around the block passes it; false: there is none.
bool isInEachRound(const Code &code, FuncId function, const Loops &loops, uint32_t block);

// [block]: control may come there from `block`, itself only in a loop.
std::vector<bool> reachableFrom(const Code &code, FuncId function, uint32_t block);

// The block ends with a return; the function has one that does.
bool doesReturn(const model::Unit &unit, const model::Block &block);
bool doesReturn(const Code &code, FuncId function);

} // namespace deadheat::link
