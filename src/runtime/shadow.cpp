#include "runtime/shadow.h"

#include <linux/mman.h>

#include "abi/note.h"
#include "runtime/lanes.h"
#include "runtime/objects.h"
#include "runtime/ordered.h"

namespace deadheat::runtime {

constinit U64 shadowBase = 0;

namespace {

using abi::EventKind;

constexpr U64 kPage = 4096;
constexpr U64 kLargeBytes = 64 * 1024; // from here on pages go back to the system
constexpr U64 kFreedBytes = 1024;      // of a block that is freed: a use after that is seen in these
constexpr U32 kLastPiece = 1u << 31;   // of an owner

// --- owners

// Pieces of the owner below this one are before the thread, whatever locks do.
void learnOwner(Memory &memory, U32 owner, U32 piece) {
  if (memory.known[owner] < piece) memory.known[owner] = piece;
  memory.order.all.raise(owner, piece);
  memory.order.hard.raise(owner, piece);
}

// Of those in [1, end) that have begun no more than `most` pieces.
U32 takeOwner(U32 thread, U32 end, U32 most) {
  for (U32 index = 1; index != end; ++index) {
    Owner &owner = context.page->owners[index];
    U32 none = 0;
    if (abi::loadRelaxed(owner.thread) == 0 && abi::loadRelaxed(owner.next) <= most &&
        __atomic_compare_exchange_n(&owner.thread, &none, thread, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
      return index;
  }
  return 0;
}

// One that nobody had, as long as there are few: whoever learns of a later thread's pieces takes all earlier ones for known.
U32 takeOwner(U32 thread) {
  const U32 fresh = takeOwner(thread, abi::kClockedOwners, 0);
  return fresh != 0 ? fresh : takeOwner(thread, abi::kOwners, kLastPiece / 2);
}

void leaveOwner(Memory &memory) {
  if (memory.block != 0) leaveBlock(memory.block);
  memory.block = 0;
  if (memory.owner == 0) return;
  if (memory.piece + 1 != memory.firstPiece) learnOwner(memory, memory.owner, memory.piece + 1);
  Owner &owner = context.page->owners[memory.owner];
  owner.next = memory.piece + 1;
  abi::storeRelease(owner.thread, 0u);
  memory.owner = 0;
}

bool enterOwner(Thread &self) {
  Memory &memory = *self.memory;
  leaveOwner(memory);
  memory.owner = takeOwner(self.number);
  if (memory.owner == 0) return false;
  memory.firstPiece = context.page->owners[memory.owner].next;
  memory.piece = memory.firstPiece - 1; // one before the first
  return true;
}

// A block that has room for the next piece.
bool enterBlock(Thread &self) {
  Memory &memory = *self.memory;
  const ProcessPage &page = *context.page;
  if (memory.block != 0 && memory.piece + 1 - page.blocks[memory.block].base < abi::kBlockPieces) return true;
  const U32 last = memory.block;
  if (last != 0) leaveBlock(last);
  memory.block = takeBlock(self, last, memory.owner, memory.piece + 1);
  if (last == 0 || memory.block != last + 1) memory.firstBlock = memory.block;
  setCover(self, 0);
  setRange(self.ownLow, self.ownSpan, abi::cellOf(memory.firstBlock, 0, 0),
           lastOfBlock(abi::cellOf(memory.block, 0, 0)));
  return memory.block != 0;
}

// --- pairs

ToldPair &toldPair(Memory &memory, const ToldPair &pair) {
  return memory.told[(pair.earlier ^ static_cast<U64>(pair.spot) << 20) * 0x9e3779b97f4a7c15 >> 54];
}
static_assert(kToldPairs == 1 << 10);

// Whether the pair tells what none of the thread's before did: which pieces and spots, or, of what is ordered by locks alone and so
// no more than a prediction, which spots under which locks.
bool isNews(Memory &memory, const ToldPair &pair) {
  ToldPair &told = toldPair(memory, pair);
  if (told == pair) return false;
  told = pair;
  return true;
}

constexpr U64 kPieceMask = U64(abi::kMostPieces - 1) << abi::kPieceShift;

// Two accesses that met: which they were, as they are told.
struct Meeting {
  PieceName name; // of the earlier
  U64 earlier;
  U64 mine;
  U32 locks;   // of the earlier
  bool before; // it is before this one
  bool reads;  // this one does
};

// This one read what the earlier wrote; or it writes what the earlier read.
bool isHandOver(const Meeting &meeting) { return (meeting.earlier & abi::kWrites) != 0 && meeting.reads; }
bool isOvertaken(const Meeting &meeting) { return (meeting.earlier & abi::kWrites) == 0; }

// Of two that no schedule can make race. What is read under the lock that it was written under was handed over, and who writes what was read under
// it comes after the reader's section: the reader of the events learns either by the first such pair with a piece.
bool tellsOrder(Memory &memory, const Meeting &meeting) {
  const auto [owner, piece] = meeting.name;
  if (memory.handed.has(owner, piece)) return false;
  if (isHandOver(meeting)) {
    memory.handed.raise(owner, piece + 1);
    return true;
  }
  if (!isOvertaken(meeting) || memory.overtaken.has(owner, piece)) return false;
  memory.overtaken.raise(owner, piece + 1);
  return true;
}

bool isWorthTelling(Thread &self, const Meeting &meeting) {
  constexpr U64 kSpotAndDeed = (U64(1) << abi::kPieceShift) - 1;
  Memory &memory = *self.memory;
  const U64 what = meeting.earlier & ~abi::kBytesMask;
  const U32 spot = static_cast<U32>((meeting.mine & kSpotAndDeed) >> 8), theirs = meeting.locks,
            own = lockMark(self.held);
  if (!meeting.before) return isNews(memory, {what, spot, self.clock});
  if (theirs == own && own != 0) return tellsOrder(memory, meeting);
  const bool mayHandOver = own != 0 && theirs != 0 && (isHandOver(meeting) || isOvertaken(meeting));
  return isNews(memory, {mayHandOver ? what : what & ~kPieceMask, spot, own * 31 + theirs});
}

U64 toldCell(PieceName name, U32 spot, Cell cell) {
  return abi::makeCell(name.owner, name.piece & (abi::kMostPieces - 1), spot, cell & abi::kDeedMask);
}

// An access that looks at the cells of eight bytes.
struct Eyes;
SLOW_PATH void tellPair(const Eyes &eyes, U32 at, Cell earlier, bool before);

struct Eyes {
  Thread &self;
  U64 granule;
  Cell cell;
  U32 spot;
  U64 frame;
  bool reads;

  bool owns(Cell other) const { return blockOfCell(other).thread == self.number; }
  bool known(Cell other) const { return isBefore(*self.memory, nameOf(other)); }
  void meets(Cell other, U32 at, bool before) const { tellPair(*this, at, other, before); }
};

// Who stored the cell stores its spot next, unless it waits for a page, or for a processor.
U32 awaitSpot(const CellGroup &group, U32 at, Cell earlier) {
  constexpr U32 kYields = 256;
  auto isGone = [&] { return ((group.load(at) ^ earlier) & ~static_cast<U32>(abi::kBytesMask)) != 0; };
  for (U32 yields = 0; yields != kYields; ++yields) {
    if (const U32 spot = abi::spotAt(group, at, earlier); spot != 0 || isGone()) return spot;
    systemCall(__NR_sched_yield);
  }
  return 0;
}

// The earlier cell is still there when its spot is read, so its block is what it was.
SLOW_PATH void tellPair(const Eyes &eyes, U32 at, Cell earlier, bool before) {
  Thread &self = eyes.self;
  Memory &memory = *self.memory;
  const PieceName name = nameOf(earlier);
  if (isHard(memory, name)) return;
  Writer writer(self, eyes.frame);
  if (writer.nested() || !writer.hasRoom()) return;
  const U32 locks = locksOf(earlier), theirs = awaitSpot(cellsOf(eyes.granule), at, earlier);
  const Meeting meeting{name,
                        toldCell(name, theirs, earlier),
                        toldCell({memory.owner, memory.piece}, eyes.spot, eyes.cell),
                        locks,
                        before,
                        eyes.reads};
  if (theirs == 0 || !isWorthTelling(self, meeting)) return;
  const U64 address = eyes.granule + __builtin_ctz(earlier & eyes.cell & static_cast<U32>(abi::kBytesMask));
  writer.event(EventKind::Pair, name.piece >> abi::kPieceBits, address, meeting.earlier, meeting.mine);
}

} // namespace

bool mapShadow() {
  void *memory = reserveBytes(kShadowBytes);
  if (!memory) return false;
  systemCall(__NR_madvise, memory, kShadowBytes, MADV_DONTDUMP);
  systemCall(__NR_madvise, memory, kShadowBytes, MADV_NOHUGEPAGE); // memory is accessed here and there
  if (isError(systemCall(__NR_madvise, memory, kShadowBytes, MADV_WIPEONFORK))) {
    releaseBytes(memory, kShadowBytes);
    return false;
  }
  if (!mapLocks()) return false;
  context.shadow = shadowBase = reinterpret_cast<U64>(memory);
  return true;
}

bool beginPiece(Writer &writer) {
  Thread &self = writer.self();
  Memory &memory = *self.memory;
  if ((memory.owner == 0 || memory.piece == kLastPiece) && !enterOwner(self)) return false;
  if (!enterBlock(self)) return false;
  ++memory.piece;
  self.pieceCell = abi::cellOf(memory.block, memory.piece - context.page->blocks[memory.block].base, 0);
  if (!hasCover(self)) setCover(self, self.pieceCell);
  noteLocks(self.pieceCell, self.held);
  writer.event(EventKind::Piece, abi::piecePayload(memory.owner, memory.piece));
  self.pieceEnded = false;
  return true;
}

bool openMemory(Thread &self) {
  closeMemory(self);
  self.memory = static_cast<Memory *>(reserveBytes(sizeof(Memory)));
  if (!self.memory) return false;
  self.pieceEnded = true;
  setCover(self, 0);
  return true;
}

void closeMemory(Thread &self) {
  if (!self.memory) return;
  Memory &memory = *self.memory;
  setCover(self, 0);
  setRange(self.ownLow, self.ownSpan, 0, 0);
  self.memory = nullptr;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  memory.contexts.release();
  memory.windows.release();
  releaseBytes(&memory, sizeof(memory));
}

void endMemory(Thread &self) {
  if (!self.memory) return;
  const Memory &memory = *self.memory;
  if (memory.owner != 0 && memory.piece + 1 != memory.firstPiece)
    context.page->ended[self.number % kEndedThreads] = {self.number, memory.owner, memory.piece};
  giveToJoiner(self);
  leaveOwner(*self.memory);
  closeMemory(self);
}

void inherit(Thread &self, const Memory &creator) {
  if (!self.memory) return;
  for (U32 owner = 0; owner != abi::kOwners; ++owner) self.memory->known[owner] = creator.known[owner];
  self.memory->order = creator.order;
  learnOwner(*self.memory, creator.owner, creator.piece + 1);
}

// An owner that had been others' before has no more of them than what was known then.
void noteJoined(Thread &self, U32 joined) {
  const EndedThread ended = context.page->ended[joined % kEndedThreads];
  if (!self.memory || ended.thread != joined) return;
  learnOwner(*self.memory, ended.owner, ended.piece + 1);
  learnFromThread(self, joined);
}

WITH_LANES bool standForRange(const Thread &self, U64 address, U64 bytes, U64 deed) {
  bool all = true;
  eachGranule(address, bytes, [&](U64 granule, U32 mask) WITH_LANES {
    all = all && standTogether(self, cellsAt(granule), mask | static_cast<U32>(deed));
  });
  return all;
}

namespace {

// Whether one of these cells of other threads is more to an access than other bytes, two reads, or before it whatever locks do.
[[gnu::always_inline]] WITH_LANES inline bool meetsOne(const Thread &self, const CellGroup &group, Vector cells,
                                                       U32 others, Cell cell) {
  for (U32 left = conflicting(cells, cell) & others; left != 0; left &= left - 1)
    if (!isHard(*self.memory, nameOf(group.load(static_cast<U32>(__builtin_ctz(left)))))) return true;
  return false;
}

// Stores the access in the place of one that it stands for, if nobody took that meanwhile, nor another. False: look again.
[[gnu::always_inline]] WITH_LANES inline bool exchangeBeside(const CellGroup &group, U64 granule, Vector cells, U32 at,
                                                             Cell cell, U32 spot) {
  Lanes seen;
  *reinterpret_cast<Vector *>(&seen) = cells;
  if (!group.exchange(at, static_cast<Cell>(seen.lanes[at]), cell)) return false;
  abi::storeRelaxed(group.spots[at], abi::spotWord(cell, spot));
  return (bitsOf(cellsAt(granule) != cells) & ~(1u << at)) == 0;
}

// What one thread alone uses now, and another made, or what several read: what the access stands for is stored anew. Without asking anybody where
// there is a free cell, as others take that one first. False: look again.
[[gnu::always_inline]] WITH_LANES inline bool storeBeside(const Thread &self, const CellGroup &group, U64 granule,
                                                          Cell cell, U32 spot) {
  const Vector cells = cellsAt(granule);
  const OwnCells all = lookAtOwn(cells, cell);
  const U32 used = usedBits(cells), own = ownBits(self, cells) & used, covered = all.covered & own;
  const bool isInTheWay = ((all.continued | all.cut) & own & ~covered) != 0 || group.load(0) == abi::kExempt;
  if (covered == 0 || isInTheWay || meetsOne(self, group, cells, used & ~own, cell)) return false;
  const U32 at = 31 - static_cast<U32>(__builtin_clz(covered));
  const bool isOnly = covered == 1u << at; // others that it stands for make room where none is free
  if (used == kAllCells) return isOnly && exchangeBeside(group, granule, cells, at, cell, spot);
  group.store(at, cell, spot);
  return true;
}

// Others know these eight bytes.
WITH_LANES __attribute__((noinline)) void touchShared(Thread &self, U64 granule, Cell cell, U32 spot, U64 frame,
                                                      bool reads) {
  const CellGroup group = cellsOf(granule);
  if (storeBeside(self, group, granule, cell, spot) || group.load(0) == abi::kExempt) return;
  abi::touchCells(group, cell, spot, self.memory->turn++, Eyes{self, granule, cell, spot, frame, reads});
}

} // namespace

WITH_LANES __attribute__((noinline)) void touchGranule(Thread &self, U64 address, Cell cell, U32 spot, U64 frame,
                                                       bool reads) {
  const U64 granule = address & ~U64(abi::kGranule - 1);
  if (!storeAlone(self, granule, cell, spot)) touchShared(self, granule, cell, spot, frame, reads);
}

WITH_LANES void touchRange(Thread &self, U64 address, U64 bytes, U32 spot, U64 deed, U64 frame) {
  if (isIgnored(self, deed)) return;
  const Cell kind = static_cast<U32>(deed & abi::kDeedMask);
  const bool reads = (deed & abi::kWrites) == 0 || (deed & kReadsToo) != 0;
  eachGranule(address, bytes, [&](U64 granule, U32 mask) WITH_LANES {
    const Cell cell = self.pieceCell | kind | mask;
    if (!oneStandsFor(self, granule, static_cast<abi::I32>(kind | mask)) && !storeSame(self, granule, cell, spot) &&
        !standTogether(self, cellsAt(granule), cell))
      touchGranule(self, granule, cell, spot, frame, reads);
  });
}

void rememberCall(Thread &self, U64 address, U64 bytes, U64 deed, U64 returns, U64 frame) {
  const U32 spot = spotOfCall(self, returns | abi::kSpotIsCall, frame);
  if (spot != 0) touchRange(self, address, bytes, spot, deed, frame);
}

// A use after the free races with it if nothing orders them: the free is all that the block remembers.
WITH_LANES void rememberFree(Thread &self, U64 address, U64 bytes, U64 returns, U64 frame) {
  if (bytes >= kLargeBytes) forgetRange(address, bytes);
  const U32 spot =
      isIgnored(self, abi::kWrites) ? 0 : spotOfCall(self, returns | abi::kSpotIsCall | abi::kSpotFrees, frame);
  if (spot == 0 || bytes >= kLargeBytes) return;
  const Cell cell = self.pieceCell | static_cast<U32>(abi::kDeedMask);
  const U64 end = address + (bytes < kFreedBytes ? bytes : kFreedBytes);
  for (U64 granule = address; granule < end; granule += abi::kGranule) {
    if (!isAlone(self, granule)) touchGranule(self, granule, cell, spot, frame, false);
    abi::clearCells(cellsOf(granule), cell, spot);
  }
}

namespace {

void forgetPages(U64 begin, U64 end) {
  const U64 inner = (begin + kPage - 1) / kPage * kPage, innerEnd = end / kPage * kPage;
  systemCall(__NR_madvise, inner, innerEnd - inner, MADV_DONTNEED);
  __builtin_memset(reinterpret_cast<void *>(begin), 0, inner - begin);
  __builtin_memset(reinterpret_cast<void *>(innerEnd), 0, end - innerEnd);
}

} // namespace

void forgetRange(U64 address, U64 bytes) {
  const U64 first = address & ~U64(abi::kGranule - 1);
  const U64 begin = reinterpret_cast<U64>(cellsOf(first).cells);
  const U64 end = begin + (address + bytes - first + abi::kGranule - 1) / abi::kGranule * abi::kGranule * kShadowGrowth;
  if (end > context.shadow + kPlaneBytes) return;
  context.page->clocks.forget(address, bytes);
  if (bytes >= kLargeBytes) {
    forgetPages(begin, end);
    systemCall(__NR_madvise, (begin + kPlaneBytes + kPage - 1) / kPage * kPage, (end - begin) / kPage * kPage - kPage,
               MADV_DONTNEED); // spots
    return;
  }
  for (U64 at = begin; at != end; at += sizeof(U64)) abi::storeRelaxed(*reinterpret_cast<U64 *>(at), U64(0));
}

void exemptRange(U64 address, U64 bytes) {
  for (U64 granule = address & ~U64(abi::kGranule - 1); granule < address + bytes; granule += abi::kGranule)
    abi::clearCells(cellsOf(granule), abi::kExempt, 0);
}

} // namespace deadheat::runtime
