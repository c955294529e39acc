// Blocks of pieces: by which cells of the shadow name who made an access, and when (abi/cells.h).
//
// Claim   A cell's block is that of the thread which stored it, as long as the cell is there. A block that no cell names any more is given
//         anew. If every block is named, the accesses of the oldest half are forgotten.
// Assumes that program memory is found in /proc/self/maps, and its shadow is not swapped out when it is looked through.
// Cost    One look through the whole shadow for each two million pieces or more.
// Misses  Races with what was forgotten: two million pieces ago.
#pragma once

#include "runtime/context.h"

namespace deadheat::runtime {

// Another block for the thread, whose next piece is `base`: the one after `last`, if it is free. 0: there is none.
U32 takeBlock(const Thread &self, U32 last, U32 owner, U32 base);
void leaveBlock(U32 block);

// Who made an access: which piece of which owner.
struct PieceName {
  U32 owner;
  U32 piece;
};

[[gnu::always_inline]] inline const Block &blockOfCell(abi::Cell cell) {
  return context.page->blocks[abi::blockOf(cell)];
}
[[gnu::always_inline]] inline PieceName nameOf(abi::Cell cell) {
  const Block &block = blockOfCell(cell);
  return {block.owner, block.base + abi::pieceInBlock(cell)};
}

} // namespace deadheat::runtime
