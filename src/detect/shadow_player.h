// Plays a history as a program would tell it that remembers its accesses itself, for tests: cells of a shadow, pieces, spots,
// and a pair where an access meets another's. What creation and end of threads order is not known here, so more is told.
#pragma once

#include <array>
#include <map>
#include <vector>

#include "abi/cells.h"
#include "detect/access.h"
#include "detect/random_history.h"

namespace deadheat::detect {

class ShadowPlayer {
public:
  std::vector<trace::Event> play(const RandomHistory &history) {
    for (size_t at = 0; at != history.events.size(); ++at) step(history, at);
    return std::move(told_);
  }

private:
  using Event = trace::Event;
  using Kind = trace::Kind;

  struct Thread {
    uint32_t piece = UINT32_MAX; // one before the first
    uint32_t freshPiece = 0;
    uint32_t spots = 0;
    bool pieceEnded = true;
  };

  struct Touch {
    trace::ThreadNumber thread;
    uint32_t spot = 0;
    uint64_t deed = 0;
  };

  void tell(trace::ThreadNumber thread, Kind kind, uint64_t number, uint64_t place = 0) {
    Event event;
    event.thread = thread;
    event.kind = kind;
    event.number = number;
    event.place = place;
    told_.push_back(event);
  }

  uint32_t newSpot(trace::ThreadNumber thread, uint32_t access) {
    Thread &self = threads_[thread.value()];
    tell(thread, Kind::Spot, ++self.spots, access);
    tell(thread, Kind::Piece, abi::piecePayload(0, thread.value(), ++self.piece));
    self.pieceEnded = false;
    return self.spots;
  }

  void endPiece(trace::ThreadNumber thread) {
    Thread &self = threads_[thread.value()];
    self.pieceEnded = true;
    self.freshPiece = self.piece + 1;
  }

  static bool letsOthersGoOn(const Event &event, bool writes) {
    bool releases = event.order >= abi::Order::Release;
    if (event.kind == Kind::Atomic) return releases && writes;
    if (event.kind == Kind::Fence) return releases;
    return event.kind == Kind::Release || event.kind == Kind::Signal || event.kind == Kind::Spawn;
  }

  void step(const RandomHistory &history, size_t at) {
    const Event &event = history.events[at];
    bool writes = trace::writes(history.forms[at]) && event.succeeded;
    bool isAtomic = event.kind == Kind::Atomic;
    uint32_t spot = isAtomic || event.kind == Kind::Access ? newSpot(event.thread, event.access) : 0;
    if (event.kind != Kind::Access) told_.push_back(event);
    if (spot != 0) {
      uint64_t deed = (isAtomic ? 0 : abi::kPlain) | (writes ? abi::kWrites : 0);
      touch(event.address, history.shapes[event.access].bytes, {event.thread, spot, deed});
    }
    if (letsOthersGoOn(event, writes)) endPiece(event.thread);
  }

  void touch(uint64_t address, uint64_t bytes, const Touch &by) {
    uint64_t end = address + bytes;
    for (uint64_t granule = address & ~uint64_t(7); granule < end; granule += abi::kGranule) {
      uint64_t low = address > granule ? address - granule : 0;
      uint64_t high = std::min<uint64_t>(end - granule, abi::kGranule);
      touchGranule(granule, (uint64_t(1) << high) - (uint64_t(1) << low), by);
    }
  }

  void touchGranule(uint64_t granule, uint64_t mask, const Touch &by) {
    const Thread &self = threads_[by.thread.value()];
    uint64_t cell = abi::makeCell(by.thread.value(), self.piece, by.spot, by.deed | mask);
    abi::CellGroup cells{cells_[granule].data(), abi::kNearCells};
    auto known = [](uint64_t) { return false; };
    auto meets = [&](uint64_t earlier) { tellPair(granule, earlier, cell, by.thread); };
    abi::touchCells(cells, {cell, 0, self.freshPiece}, turn_++, known, meets);
  }

  void tellPair(uint64_t granule, uint64_t earlier, uint64_t later, trace::ThreadNumber thread) {
    Event event;
    event.thread = thread;
    event.kind = Kind::Pair;
    event.number = abi::pieceOfCell(0, earlier);
    event.address = granule;
    event.earlier = earlier;
    event.later = later;
    told_.push_back(event);
  }

  std::map<uint32_t, Thread> threads_;
  std::map<uint64_t, std::array<abi::U64, abi::kCells>> cells_;
  std::vector<Event> told_;
  uint32_t turn_ = 0;
};

} // namespace deadheat::detect
