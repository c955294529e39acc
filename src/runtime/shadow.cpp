#include "runtime/shadow.h"

#include <linux/mman.h>

#include "abi/note.h"
#include "runtime/objects.h"

namespace deadheat::runtime {

constinit U64 shadowBase = 0;

namespace {

using abi::EventKind;

constexpr U64 kShadowBytes = 2 * kPlaneBytes;
constexpr U64 kPage = 4096;
constexpr U64 kLargeBytes = 64 * 1024;                  // from here on pages go back to the system
constexpr U64 kFreedBytes = 1024;                       // of a block that is freed: a use after that is seen in these
constexpr U32 kMostContexts = 1 << 20;                  // of a thread
constexpr U32 kSpotsInContext = 1 << 21;                // beyond, spots have no context
constexpr U64 kExempt = ~(abi::kDeedMask | abi::kMore); // in the first cell: the last owner, which no thread has

void *mapBytes(U64 bytes) {
  const long memory =
      systemCall(__NR_mmap, nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return isError(memory) ? nullptr : reinterpret_cast<void *>(memory);
}

// --- owners

// Owners that no thread has begin anew, after all cells are gone that name them.
void wipeShadow() {
  constexpr U32 kWiping = ~0u;
  ProcessPage &page = *context.page;
  for (Owner &owner : page.owners) {
    U32 none = 0;
    if (owner.next != 0)
      __atomic_compare_exchange_n(&owner.thread, &none, kWiping, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
  }
  systemCall(__NR_madvise, context.shadow, kShadowBytes, MADV_DONTNEED);
  abi::fetchAdd(page.wipes, 1u);
  for (Owner &owner : page.owners) {
    if (abi::loadRelaxed(owner.thread) != kWiping) continue;
    owner.next = 0;
    ++owner.term;
    abi::storeRelease(owner.thread, 0u);
  }
}

constexpr U32 kFewestPieces = abi::kMostPieces / 16; // an owner that has fewer left waits for the next wipe

U32 takeOwner(U32 thread) {
  for (U32 index = 1; index != abi::kOwners - 1; ++index) { // the last one is kExempt's
    Owner &owner = context.page->owners[index];
    U32 none = 0;
    if (abi::loadRelaxed(owner.thread) == 0 && abi::loadRelaxed(owner.next) < abi::kMostPieces - kFewestPieces &&
        __atomic_compare_exchange_n(&owner.thread, &none, thread, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
      return index;
  }
  return 0;
}

void leaveOwner(Memory &memory) {
  if (memory.owner == 0) return;
  Owner &owner = context.page->owners[memory.owner];
  owner.next = memory.piece + 1;
  abi::storeRelease(owner.thread, 0u);
  memory.owner = 0;
}

bool enterOwner(Thread &self) {
  Memory &memory = *self.memory;
  leaveOwner(memory);
  memory.owner = takeOwner(self.number);
  if (memory.owner == 0) {
    wipeShadow();
    memory.owner = takeOwner(self.number);
  }
  if (memory.owner == 0) return false;
  memory.firstPiece = context.page->owners[memory.owner].next;
  memory.piece = memory.firstPiece - 1; // one before the first
  setCover(self, memory.firstPiece);
  return true;
}

// --- what is told before a cell may have it

// The context of the innermost call, which has been resolved.
U32 contextOf(const Thread &self) { return self.depth == 0 ? 0 : self.own->frames[self.depth - 1].context; }

U32 numberContext(Writer &writer, const Frame &frame, U32 outer) {
  bool isNew = false;
  const NumberKey key{frame.returns, static_cast<U64>(outer) << 32 | frame.function};
  const U32 found = writer.self().memory->contexts.find(key, kMostContexts, isNew);
  if (isNew) writer.event(EventKind::Context, found, outer, frame.function, frame.returns);
  return found != 0 ? found : outer;
}

ContextEntry &contextEntry(Memory &memory, const Frame &frame, U32 outer) {
  return memory.contextEntries[(frame.returns ^ static_cast<U64>(outer) << 32) * 0x9e3779b97f4a7c15 >> 53];
}
static_assert(kContextEntries == 1 << 11);

void resolveContexts(Writer &writer) {
  Thread &self = writer.self();
  for (; self.toldDepth != self.depth; ++self.toldDepth) {
    Frame &frame = self.own->frames[self.toldDepth];
    const U32 outer = self.toldDepth == 0 ? 0 : self.own->frames[self.toldDepth - 1].context;
    ContextEntry &entry = contextEntry(*self.memory, frame, outer);
    if (entry.returns != frame.returns || entry.function != frame.function || entry.outer != outer ||
        entry.context == 0)
      entry = {frame.returns, frame.function, outer, numberContext(writer, frame, outer)};
    frame.context = entry.context;
  }
}

U32 numberSpot(Writer &writer, U64 what) {
  Thread &self = writer.self();
  Numbers &spots = self.memory->spots;
  const U32 where = spots.count() < kSpotsInContext ? contextOf(self) : 0;
  bool isNew = false;
  const U32 spot = spots.find({what, where}, abi::kMostSpots - 1, isNew);
  if (!isNew) return spot;
  writer.event(EventKind::Spot, spot, what, where);
  self.pieceEnded = true; // so that whoever knows the piece knows the spot
  return spot;
}

SpotEntry &spotEntry(Memory &memory, U32 context, U32 access) {
  return memory.spotEntries[(static_cast<U64>(context) << 32 | access) * 0x9e3779b97f4a7c15 >> 52];
}
static_assert(kSpotEntries == 1 << 12);

U32 spotInContext(Writer &writer, U64 what) {
  Thread &self = writer.self();
  if (what & abi::kSpotIsCall) return numberSpot(writer, what);
  const SpotEntry wanted{contextOf(self), static_cast<U32>(what), 0};
  SpotEntry &entry = spotEntry(*self.memory, wanted.context, wanted.access);
  if (entry.context != wanted.context || entry.access != wanted.access || entry.spot == 0)
    entry = {wanted.context, wanted.access, numberSpot(writer, what)};
  return entry.spot;
}

// 0: not while another event is being written, or there is nobody to tell.
U32 settle(Thread &self, U64 what, U64 frame) {
  Writer writer(self, frame);
  if (writer.nested() || !writer.hasRoom()) return 0;
  dropFrames(self, returnSlotOf(frame));
  resolveContexts(writer);
  const U32 spot = spotInContext(writer, what);
  return spot == 0 || (self.pieceEnded && !beginPiece(writer)) ? 0 : spot;
}

// Once per process: who looks whether an access was ever executed need not look at all threads.
void tellSeen(Thread &self, U64 slot, U64 frame) {
  U8 &byte = *reinterpret_cast<U8 *>(slot);
  if (byte & abi::kSlotSeen) return;
  Writer writer(self, frame);
  if (writer.nested() || !writer.hasRoom()) return;
  byte |= abi::kSlotSeen;
  writer.event(EventKind::Seen, self.accesses.idOf(slot));
}

SLOW_PATH U32 settleAccess(Thread &self, U64 slot, U64 frame) {
  tellSeen(self, slot, frame);
  return settle(self, self.accesses.idOf(slot), frame);
}

// --- pairs

ToldPair &toldPair(Memory &memory, const ToldPair &pair) {
  return memory.told[(pair.earlier ^ static_cast<U64>(pair.spot) << 20) * 0x9e3779b97f4a7c15 >> 54];
}
static_assert(kToldPairs == 1 << 10);

SLOW_PATH void tellPair(Thread &self, U64 address, U64 earlier, U64 mine, U64 frame) {
  constexpr U64 kSpotAndDeed = (U64(1) << abi::kPieceShift) - 1;
  const ToldPair pair{earlier & ~abi::kBytesMask, static_cast<U32>((mine & kSpotAndDeed) >> 8), self.clock};
  ToldPair &told = toldPair(*self.memory, pair);
  if (told.earlier == pair.earlier && told.spot == pair.spot && told.clock == pair.clock) return;
  Writer writer(self, frame);
  if (writer.nested() || !writer.hasRoom()) return;
  told = pair;
  const U32 term = context.page->owners[abi::cellOwner(earlier)].term;
  writer.event(EventKind::Pair, term, address, earlier, mine);
}

__attribute__((noinline)) void touchGranule(Thread &self, U64 granule, U64 cell, U64 frame) {
  Memory &memory = *self.memory;
  const CellGroup cells = cellsOf(granule);
  if (abi::loadRelaxed(cells[0]) == kExempt) return;
  abi::touchCells(
      cells, {cell, memory.firstPiece, abi::cellPiece(self.coverLow)}, memory.turn++,
      [&](U64 old) { return abi::cellPiece(old) < memory.known[abi::cellOwner(old)]; },
      [&](U64 old) { tellPair(self, granule + __builtin_ctz(old & cell & abi::kBytesMask), old, cell, frame); });
}

// Several together may do.
bool standForGranule(const Thread &self, U64 granule, U64 deed) {
  const CellGroup cells = cellsOf(granule);
  const U64 kind = deed & ~abi::kBytesMask;
  const U32 end = cells.end();
  for (U32 at = 0; at != end; ++at) {
    const U64 cell = abi::loadRelaxed(cells[at]);
    if (!standsFor(self, cell, kind)) continue;
    deed &= ~(cell & abi::kBytesMask);
    if (!(deed & abi::kBytesMask)) return true;
  }
  return false;
}

bool isIgnored(const Thread &self, U64 deed) {
  return self.ignored.inLock != 0 || (deed & abi::kWrites ? self.ignored.writes : self.ignored.reads) != 0;
}

} // namespace

bool mapShadow() {
  void *memory = mapBytes(kShadowBytes);
  if (!memory) return false;
  systemCall(__NR_madvise, memory, kShadowBytes, MADV_DONTDUMP);
  systemCall(__NR_madvise, memory, kShadowBytes, MADV_NOHUGEPAGE); // memory is accessed here and there
  if (isError(systemCall(__NR_madvise, memory, kShadowBytes, MADV_WIPEONFORK))) {
    systemCall(__NR_munmap, memory, kShadowBytes);
    return false;
  }
  context.shadow = shadowBase = reinterpret_cast<U64>(memory);
  return true;
}

bool beginPiece(Writer &writer) {
  Thread &self = writer.self();
  Memory &memory = *self.memory;
  if (memory.wipes != abi::loadRelaxed(context.page->wipes)) {
    memory.wipes = context.page->wipes;
    for (U32 &piece : memory.known) piece = 0;
  }
  if ((memory.owner == 0 || memory.piece + 2 >= abi::kMostPieces) && !enterOwner(self)) return false;
  ++memory.piece;
  const U32 term = context.page->owners[memory.owner].term;
  writer.event(EventKind::Piece, abi::piecePayload(term, memory.owner, memory.piece));
  self.pieceEnded = false;
  return true;
}

bool openMemory(Thread &self) {
  closeMemory(self);
  self.memory = static_cast<Memory *>(mapBytes(sizeof(Memory)));
  if (!self.memory) return false;
  self.memory->wipes = context.page->wipes;
  self.pieceEnded = true;
  self.coverLow = ~U64(0);
  self.coverSpan = 0;
  return true;
}

void closeMemory(Thread &self) {
  if (!self.memory) return;
  Memory &memory = *self.memory;
  self.coverLow = ~U64(0);
  self.coverSpan = 0;
  self.memory = nullptr;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  memory.contexts.release();
  memory.spots.release();
  systemCall(__NR_munmap, &memory, sizeof(memory));
}

void endMemory(Thread &self) {
  if (!self.memory) return;
  const Memory &memory = *self.memory;
  if (memory.owner != 0 && memory.piece + 1 != memory.firstPiece)
    context.page->ended[self.number % kEndedThreads] = {self.number, memory.owner, memory.piece};
  leaveOwner(*self.memory);
  closeMemory(self);
}

void inherit(Thread &self, const Memory &creator) {
  if (!self.memory || self.memory->wipes != creator.wipes) return;
  for (U32 owner = 0; owner != abi::kOwners; ++owner) self.memory->known[owner] = creator.known[owner];
  self.memory->known[creator.owner] = creator.piece + 1;
}

// An owner that had been others' before has no more of them than what was known then.
void noteJoined(Thread &self, U32 joined) {
  const EndedThread ended = context.page->ended[joined % kEndedThreads];
  if (!self.memory || ended.thread != joined) return;
  U32 &known = self.memory->known[ended.owner];
  if (ended.piece >= known) known = ended.piece + 1;
}

U32 spotOf(Thread &self, U64 slot, U64 frame) {
  dropFrames(self, returnSlotOf(frame));
  if (!self.pieceEnded && self.toldDepth == self.depth && *reinterpret_cast<const U8 *>(slot) & abi::kSlotSeen)
      [[likely]] {
    const U32 where = contextOf(self), access = self.accesses.idOf(slot);
    const SpotEntry &entry = spotEntry(*self.memory, where, access);
    if (entry.context == where && entry.access == access && entry.spot != 0) [[likely]]
      return entry.spot;
  }
  return settleAccess(self, slot, frame);
}

bool standForRange(const Thread &self, U64 address, U64 bytes, U64 deed) {
  bool all = true;
  eachGranule(address, bytes, [&](U64 granule, U64 mask) { all = all && standForGranule(self, granule, deed | mask); });
  return all;
}

// Most memory is one thread's, which comes back to it in another piece: one cell, which the new one stands for.
void touchRange(Thread &self, U64 address, U64 bytes, U32 spot, U64 deed, U64 frame) {
  if (isIgnored(self, deed)) return;
  const Memory &memory = *self.memory;
  const U64 cell = abi::makeCell(memory.owner, memory.piece, spot, deed);
  const abi::Toucher by{cell, memory.firstPiece, 0};
  eachGranule(address, bytes, [&](U64 granule, U64 mask) {
    U64 *cells = nearCells(granule);
    const U64 first = abi::loadRelaxed(cells[0]);
    if (abi::loadRelaxed(cells[1]) == 0 && first != 0 && by.owns(first) && abi::deedCovers(cell | mask, first))
      abi::storeRelaxed(cells[0], cell | mask);
    else if (!nearStandFor(self, granule, deed | mask))
      touchGranule(self, granule, cell | mask, frame);
  });
}

void rememberCall(Thread &self, U64 address, U64 bytes, U64 deed, U64 returns, U64 frame) {
  const U32 spot = settle(self, returns | abi::kSpotIsCall, frame);
  if (spot != 0) touchRange(self, address, bytes, spot, deed, frame);
}

// A use after the free races with it if nothing orders them: the free is all that the block remembers.
void rememberFree(Thread &self, U64 address, U64 bytes, U64 returns, U64 frame) {
  if (bytes >= kLargeBytes) forgetRange(address, bytes);
  const U32 spot =
      isIgnored(self, abi::kWrites) ? 0 : settle(self, returns | abi::kSpotIsCall | abi::kSpotFrees, frame);
  if (spot == 0 || bytes >= kLargeBytes) return;
  const U64 deed = abi::kBytesMask | abi::kPlain | abi::kWrites;
  const U64 cell = abi::makeCell(self.memory->owner, self.memory->piece, spot, deed);
  const U64 end = address + (bytes < kFreedBytes ? bytes : kFreedBytes);
  for (U64 granule = address; granule < end; granule += abi::kGranule) {
    touchGranule(self, granule, cell, frame);
    abi::clearCells(cellsOf(granule), cell);
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
  const U64 begin = reinterpret_cast<U64>(nearCells(first));
  const U64 end = begin + (address + bytes - first + abi::kGranule - 1) / abi::kGranule * abi::kGranule * kShadowGrowth;
  if (end > context.shadow + kPlaneBytes) return;
  if (bytes >= kLargeBytes) {
    forgetPages(begin, end);
    forgetPages(begin + kPlaneBytes, end + kPlaneBytes);
    return;
  }
  for (U64 at = begin; at != end; at += kNearCells * sizeof(U64)) {
    const CellGroup cells{reinterpret_cast<U64 *>(at), kPlaneBytes / sizeof(U64)};
    if (abi::loadRelaxed(cells[0]) != 0) abi::clearCells(cells, 0);
  }
}

void exemptRange(U64 address, U64 bytes) {
  for (U64 granule = address & ~U64(abi::kGranule - 1); granule < address + bytes; granule += abi::kGranule)
    abi::clearCells(cellsOf(granule), kExempt);
}

void tellContext(Writer &writer, U64 here) {
  Thread &self = writer.self();
  dropFrames(self, here);
  resolveContexts(writer);
  if (contextOf(self) == self.memory->at) return;
  self.memory->at = contextOf(self);
  writer.event(EventKind::At, self.memory->at);
}

} // namespace deadheat::runtime
