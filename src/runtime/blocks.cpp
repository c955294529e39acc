#include "runtime/blocks.h"

#include <linux/mman.h>

#include "runtime/maps.h"
#include "runtime/shadow.h"

namespace deadheat::runtime {
namespace {

using abi::Cell;

constexpr U64 kPage = 4096;
constexpr U64 kMostRegion = U64(1) << 40;    // larger ones are reserved, not used
constexpr U32 kFewBlocks = abi::kBlocks / 8; // that are free: time to look for more

// visit(cell) for those of the region's shadow that have pages.
template <typename Visit> void eachCell(U64 begin, U64 end, Visit visit) {
  constexpr U64 kPagesAtOnce = 1024;
  U8 resident[kPagesAtOnce];
  for (U64 at = begin; at < end; at += kPagesAtOnce * kPage) {
    const U64 bytes = end - at < kPagesAtOnce * kPage ? end - at : kPagesAtOnce * kPage;
    if (isError(systemCall(__NR_mincore, at, bytes, resident))) continue;
    for (U64 page = 0; page * kPage < bytes; ++page) {
      if (!(resident[page] & 1)) continue;
      Cell *cells = reinterpret_cast<Cell *>(at + page * kPage);
      for (U64 index = 0; index != kPage / sizeof(Cell); ++index)
        if (abi::loadRelaxed(cells[index]) != 0) visit(cells[index]);
    }
  }
}

// Cells of memory that is not there any more.
void forgetGap(Region gap) {
  if (gap.begin / kShadowWindow != (gap.end - 1) / kShadowWindow) return;
  const U64 begin = reinterpret_cast<U64>(cellsOf(gap.begin).cells);
  systemCall(__NR_madvise, begin, (gap.end - gap.begin) * kShadowGrowth, MADV_DONTNEED);
}

// Far from what is mapped nothing was: stacks and heaps end near others.
void forgetGaps() {
  constexpr U64 kNear = U64(1) << 36;
  Maps maps;
  U64 last = 0;
  for (Region region; maps.next(region) && region.end >> 47 == 0; last = region.end) {
    const U64 bytes = region.begin - last, near = bytes < kNear ? bytes : kNear;
    if (last == 0 || bytes == 0) continue;
    forgetGap({last, last + near});
    if (near != bytes) forgetGap({region.begin - near, region.begin});
  }
}

template <typename Visit> void eachCell(Visit visit) {
  Maps maps;
  for (Region region; maps.next(region);) {
    const bool isShadow = region.begin < context.shadow + kShadowBytes && context.shadow < region.end;
    if (region.end - region.begin > kMostRegion || isShadow || region.end >> 47 != 0) continue;
    const U64 begin = reinterpret_cast<U64>(cellsOf(region.begin).cells);
    eachCell(begin, begin + (region.end - region.begin) * kShadowGrowth, visit);
  }
}

struct BlockSet {
  U64 words[abi::kBlocks / 64];

  bool has(U32 block) const { return words[block / 64] >> block % 64 & 1; }
  void add(U32 block) { words[block / 64] |= U64(1) << block % 64; }
};

// Those that no thread is in any more.
template <typename Chosen> BlockSet closedBlocks(Chosen chosen) {
  BlockSet closed{};
  for (U32 index = abi::kFirstBlock; index != abi::kEndBlock; ++index)
    if (const Block &block = context.page->blocks[index]; abi::loadAcquire(block.isClosed) && chosen(block))
      closed.add(index);
  return closed;
}

U32 freeBlocks(const BlockSet &closed, const BlockSet &used) {
  U32 freed = 0;
  for (U32 index = abi::kFirstBlock; index != abi::kEndBlock; ++index) {
    Block &block = context.page->blocks[index];
    if (!closed.has(index) || used.has(index)) continue;
    abi::storeRelaxed(block.isClosed, 0u);
    abi::storeRelease(block.thread, 0u);
    ++freed;
  }
  abi::fetchAdd(context.page->blocksUsed, 0u - freed);
  return freed;
}

void forgetOldest() {
  const U32 end = abi::loadRelaxed(context.page->blocksTaken) - abi::kBlocks / 2;
  const BlockSet old = closedBlocks([&](const Block &block) { return static_cast<abi::I32>(block.when - end) < 0; });
  eachCell([&](Cell &cell) {
    for (Cell now = abi::loadRelaxed(cell); old.has(abi::blockOf(now));)
      if (__atomic_compare_exchange_n(&cell, &now, 0u, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) break;
  });
  freeBlocks(old, {});
}

// Nobody stores the number of a closed block anew: what the look does not find is in no cell of memory that is there.
void sweep() {
  const BlockSet closed = closedBlocks([](const Block &) { return true; });
  BlockSet used{};
  forgetGaps();
  eachCell([&](const Cell &cell) { used.add(abi::blockOf(abi::loadRelaxed(cell))); });
  if (freeBlocks(closed, used) < abi::kBlocks / 4) forgetOldest();
}

} // namespace

// Threads begin far from each other, so that the blocks of one mostly lie together.
U32 takeBlock(const Thread &self, U32 last, U32 owner, U32 base) {
  ProcessPage &page = *context.page;
  if (abi::loadRelaxed(page.blocksUsed) + kFewBlocks >= abi::kBlocks &&
      __atomic_exchange_n(&page.isSweeping, 1u, __ATOMIC_ACQUIRE) == 0) {
    sweep();
    abi::storeRelease(page.isSweeping, 0u);
  }
  const U32 first = last != 0 ? last + 1 : self.number * 0x9e3779b1u >> abi::kBlockShift;
  for (U32 step = 0; step != abi::kBlocks; ++step) {
    const U32 index = (first + step) % abi::kBlocks;
    U32 none = 0;
    Block &block = page.blocks[index];
    if (index < abi::kFirstBlock || index >= abi::kEndBlock || abi::loadRelaxed(block.thread) != 0) continue;
    if (!__atomic_compare_exchange_n(&block.thread, &none, self.number, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
      continue;
    block.owner = owner;
    block.base = base;
    block.when = abi::fetchAdd(page.blocksTaken, 1u);
    abi::fetchAdd(page.blocksUsed, 1u);
    return index;
  }
  return 0;
}

void leaveBlock(U32 block) { abi::storeRelease(context.page->blocks[block].isClosed, 1u); }

} // namespace deadheat::runtime
