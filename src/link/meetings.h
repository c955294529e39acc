// Where the ways of a branch meet again.
//
// Claim   Every block with more than one predecessor is here once, with the blocks that lie between it and its immediate
//         dominator on any way, the dominator left out.
// Cost    blocks times the depth of branches.
#pragma once

#include <vector>

#include "link/code.h"

namespace deadheat::link {

// Blocks are counted within the function.
struct Meeting {
  uint32_t block = 0;
  std::vector<uint32_t> between;
};

std::vector<Meeting> findMeetings(const Code &code, FuncId function);

} // namespace deadheat::link
