// Plays a history as a program would tell it that remembers its accesses itself, for tests: cells of a shadow, pieces, spots,
// the order that it knows, and a pair where an access meets another's that no message orders.
#pragma once

#include <array>
#include <cstdlib>
#include <map>
#include <memory>
#include <vector>

#include "abi/cells.h"
#include "abi/sync_clocks.h"
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
    uint32_t spots = 0;
    bool pieceEnded = true;
    abi::OrderKnown order{};
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
    if (event.kind != Kind::Access) {
      told_.push_back(event);
      order(event, history.forms[at]);
    }
    if (spot != 0) {
      uint64_t deed = (isAtomic ? 0 : abi::kPlain) | (writes ? abi::kWrites : 0);
      touch(event.address, history.shapes[event.access].bytes, {event.thread, spot, deed});
    }
    if (letsOthersGoOn(event, writes)) endPiece(event.thread);
  }

  // As the runtime does: runtime/ordered.cpp, runtime/interpose/interpose.cpp.
  void order(const Event &event, trace::AccessShape::Form form) {
    if (event.kind == Kind::Spawn) return inherit(event.thread, static_cast<uint32_t>(event.number));
    if (event.kind == Kind::Join) return learnEnded(event.thread, static_cast<uint32_t>(event.number));
    if (event.kind == Kind::Atomic) return orderByAtomic(event, form);
    bool isLock = event.sync == abi::SyncKind::Mutex || event.sync == abi::SyncKind::RwLock;
    if (event.sync == abi::SyncKind::Barrier || event.sync == abi::SyncKind::Condition) return;
    if (event.kind == Kind::Acquire || event.kind == Kind::Wait)
      clocks_->take(threads_[event.thread.value()].order, event.address);
    if ((event.kind == Kind::Release && (event.flags & abi::kShared) == 0) || event.kind == Kind::Signal)
      give(event, isLock ? abi::Gift::Lock : abi::Gift::Message);
  }

  void give(const Event &event, abi::Gift gift) {
    const Thread &self = threads_[event.thread.value()];
    clocks_->give(self.order, {event.thread.value(), self.piece + 1}, event.address, gift);
  }

  void orderByAtomic(const Event &event, trace::AccessShape::Form form) {
    bool stores = form == trace::AccessShape::Form::AtomicWrite;
    bool acquires = event.order != abi::Order::Relaxed && event.order != abi::Order::Release;
    if (!stores && acquires) clocks_->take(threads_[event.thread.value()].order, event.address);
    if (!trace::writes(form) || !event.succeeded) return;
    if (event.order >= abi::Order::Release)
      give(event, stores ? abi::Gift::Value : abi::Gift::Message);
    else if (stores)
      clocks_->clear(event.address);
  }

  void inherit(trace::ThreadNumber creator, uint32_t created) {
    threads_[created].order = threads_[creator.value()].order;
    learn(threads_[created], creator.value(), threads_[creator.value()].piece + 1);
  }

  void learnEnded(trace::ThreadNumber thread, uint32_t ended) {
    Thread &self = threads_[thread.value()];
    self.order.all.join(threads_[ended].order.all, abi::kClockedOwners);
    self.order.hard.join(threads_[ended].order.hard, abi::kClockedOwners);
    learn(self, ended, threads_[ended].piece + 1);
  }

  static void learn(Thread &self, uint32_t owner, uint32_t piece) {
    self.order.all.raise(owner, piece);
    self.order.hard.raise(owner, piece);
  }

  void touch(uint64_t address, uint64_t bytes, const Touch &by) {
    uint64_t end = address + bytes;
    for (uint64_t granule = address & ~uint64_t(7); granule < end; granule += abi::kGranule) {
      uint64_t low = address > granule ? address - granule : 0;
      uint64_t high = std::min<uint64_t>(end - granule, abi::kGranule);
      touchGranule(granule, (uint64_t(1) << high) - (uint64_t(1) << low), by);
    }
  }

  // A thread's number is its owner's and its block's; histories are shorter than a block.
  struct Eyes {
    ShadowPlayer &player;
    uint64_t granule;
    abi::Cell cell;
    const Touch &by;

    const abi::OrderKnown &order() const { return player.threads_[by.thread.value()].order; }
    bool owns(abi::Cell other) const { return abi::blockOf(other) == by.thread.value(); }
    bool known(abi::Cell other) const { return order().all.has(abi::blockOf(other), abi::pieceInBlock(other)); }
    void meets(abi::Cell other, uint32_t at, bool) const {
      if (order().hard.has(abi::blockOf(other), abi::pieceInBlock(other))) return;
      uint32_t spot = abi::spotAt(player.groupOf(granule), at, other);
      player.tellPair(granule, told(other, spot), told(cell, by.spot), by.thread);
    }
    static uint64_t told(abi::Cell cell, uint32_t spot) {
      return abi::makeCell(abi::blockOf(cell), abi::pieceInBlock(cell), spot, cell & abi::kDeedMask);
    }
  };

  abi::CellGroup groupOf(uint64_t granule) { return {cells_[granule].data(), spots_[granule].data()}; }

  void touchGranule(uint64_t granule, uint64_t mask, const Touch &by) {
    abi::Cell cell = abi::cellOf(by.thread.value(), threads_[by.thread.value()].piece, by.deed | mask);
    abi::touchCells(groupOf(granule), cell, by.spot, turn_++, Eyes{*this, granule, cell, by});
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
  std::map<uint64_t, std::array<abi::Cell, abi::kCells>> cells_;
  std::map<uint64_t, std::array<uint32_t, abi::kCells>> spots_;
  struct Free {
    void operator()(void *memory) const { std::free(memory); }
  };
  // All zero, as the kernel gives it: most of it is never touched.
  std::unique_ptr<abi::SyncClocks, Free> clocks_{
      static_cast<abi::SyncClocks *>(std::calloc(1, sizeof(abi::SyncClocks)))};
  std::vector<Event> told_;
  uint32_t turn_ = 0;
};

} // namespace deadheat::detect
