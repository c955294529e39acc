// Blocks that are left by the way in which they were entered.
//
// An early `return` in the scope of a C++ object and the way on from there share the block that destroys it: a number says where to go
// after it. Who came with a known number goes to one place; without that, what the one way leaves behind would be found on the other.
//
// Claim   A flow that enters a copy of a block in place of the block, and leaves it by its one target, misses no way.
// Cost    linear in the rows of phis whose block ends with a test of them.
// Misses  numbers that went through two such blocks; blocks in which a call that may throw stands before the test.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "link/code.h"

namespace deadheat::link {

struct SplitBlocks {
  struct Copy {
    uint32_t block = 0;
    uint32_t target = 0; // the only one
  };
  uint32_t first = 0; // copies have numbers from here on
  std::vector<Copy> copies;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> entered; // by the block before and the block: the copy

  uint32_t block(uint32_t number) const { return number < first ? number : copies[number - first].block; }
  bool leads(uint32_t number, uint32_t target) const {
    return number < first || copies[number - first].target == target;
  }
  // What an edge leads into.
  uint32_t into(uint32_t from, uint32_t target) const {
    auto known = entered.find({block(from), target});
    return known == entered.end() ? target : known->second;
  }
};

SplitBlocks splitBlocks(const Code &code, FuncId function);

} // namespace deadheat::link
