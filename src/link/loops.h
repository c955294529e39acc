// The loops of a function: which blocks repeat, and within which innermost loop each lies.
//
// Claim   Two blocks with the same innermost loop run in the same iteration of it, or one of them not at all.
// Assumes an irreducible cycle has the header that is first in the function.
// Cost    linear in blocks times the depth of nesting.
#pragma once

#include <algorithm>
#include <vector>

#include "link/code.h"

namespace deadheat::link {

struct Loops {
  static constexpr uint32_t kNone = 0;
  std::vector<uint32_t> innermost;     // [block of the function]: a number of the loop; kNone: in no loop
  std::vector<uint32_t> outermost;     // likewise
  std::vector<uint32_t> around{kNone}; // [loop]: the next one around it

  bool repeats(uint32_t block) const { return innermost[block] != kNone; }
  // Blocks of a loop come after its header, those of a loop around it before.
  uint32_t header(uint32_t loop) const {
    return static_cast<uint32_t>(std::ranges::find(innermost, loop) - innermost.begin());
  }
  // Or in one inside it. All blocks are in kNone.
  bool isIn(uint32_t block, uint32_t loop) const {
    uint32_t inside = innermost[block];
    while (inside != loop && inside != kNone) inside = around[inside];
    return inside == loop;
  }
};

Loops findLoops(const Code &code, FuncId function);

// Each round of the innermost loop around the block passes it; false: there is none.
bool isInEachRound(const Code &code, FuncId function, const Loops &loops, uint32_t block);

// [block]: control may come from it to `block` within one round of `loop`, which is around that.
std::vector<bool> leadsTo(const Code &code, FuncId function, const Loops &loops, uint32_t loop, uint32_t block);

// [block]: control may come there from `block`, itself only in a loop.
std::vector<bool> reachableFrom(const Code &code, FuncId function, uint32_t block);

// An exception may leave the block for another one of the function.
bool mayThrow(const model::Unit &unit, const model::Block &block);
// The block ends with a return; the function has one that does.
bool doesReturn(const model::Unit &unit, const model::Block &block);
bool doesReturn(const Code &code, FuncId function);

} // namespace deadheat::link
