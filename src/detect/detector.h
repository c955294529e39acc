// Detection over the merged events of one process.
//
// A sequencer follows the events in order: it alone knows synchronisation, stacks and locks. Accesses it hands on, each with
// the clocks of its thread at that point, to shards of memory that know nothing of each other. So a clock is computed once
// and not once per shard, and shards run in parallel with no lock between them.
//
//   events -> sequencer: Order x 3, stacks, locks, lock order
//                |  batches of accesses, by address
//                v
//             shard 0 .. kShards-1: HappensBefore, Hybrid
//
// A program that remembers its accesses itself (abi/shadow.h) tells pairs of them, which the sequencer judges alone.
//
// Claim   The result depends on the events only, not on `jobs`: the number of shards is fixed, and each sees its accesses
//         in order.
// Cost    A copy of a thread's clock per batch and piece of its execution between synchronisations.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <set>

#include "detect/detection.h"
#include "detect/handover.h"
#include "detect/happens_before.h"
#include "detect/hybrid.h"
#include "detect/made.h"
#include "detect/order.h"
#include "detect/pieces.h"

namespace deadheat::detect {

struct DetectorOptions {
  unsigned jobs = 1;
  bool predict = true;
  size_t maxPages = size_t(1) << 22; // of each engine: a quarter gigabyte of the program's memory
};

class Detector {
public:
  Detector(const trace::AccessShapes &shapes, DetectorOptions options);
  ~Detector();

  void apply(const trace::Event &event);

  // What was found until now; the detection goes on.
  Detection soFar();

  // Ends the detection.
  Detection finish();

private:
  struct Thread;
  struct Shard;
  struct Held;
  struct Pool;
  // A clock as it was when something was last sent, kept until it changes.
  struct ClockCopy {
    const Clock *clock = nullptr;
    uint64_t batch = 0;
    uint64_t version = 0;
  };
  struct Block {
    Allocation allocation;
    bool freed = false; // in this batch
  };
  using Handler = void (Detector::*)(Thread &, const trace::Event &);
  static const Handler kHandlers[];

  void ignore(Thread &, const trace::Event &) {}
  void enter(Thread &thread, const trace::Event &event);
  void replaceStack(Thread &thread, const trace::Event &event);
  void gap(Thread &, const trace::Event &);
  void load(Thread &, const trace::Event &event);
  void plain(Thread &thread, const trace::Event &event);
  void library(Thread &thread, const trace::Event &event);
  void atomic(Thread &thread, const trace::Event &event);
  void fence(Thread &thread, const trace::Event &event);
  void allocate(Thread &thread, const trace::Event &event);
  void free(Thread &thread, const trace::Event &event);
  void acquire(Thread &thread, const trace::Event &event);
  void release(Thread &thread, const trace::Event &event);
  void synchronise(Thread &thread, const trace::Event &event);
  void ignoreFrom(Thread &thread, const trace::Event &event);
  void benign(Thread &, const trace::Event &event);
  void make(Thread &thread, const trace::Event &event);
  void want(Thread &thread, const trace::Event &event);
  void spawn(Thread &thread, const trace::Event &event);
  void begin(Thread &thread, const trace::Event &event);
  void join(Thread &thread, const trace::Event &event);
  void context(Thread &thread, const trace::Event &event);
  void at(Thread &thread, const trace::Event &event);
  void spot(Thread &thread, const trace::Event &event);
  void piece(Thread &thread, const trace::Event &event);
  void pair(Thread &thread, const trace::Event &event);
  void enterSignal(Thread &thread, const trace::Event &);
  void leaveSignal(Thread &thread, const trace::Event &);

  std::array<Order *, 3> orders() { return {&happensBefore_, &hard_, &handover_.order()}; }
  void followSection(Thread &thread, const trace::Event &event, uint64_t bytes, bool write);
  Thread &threadOf(trace::ThreadNumber number);
  Thread *start(trace::ThreadNumber number, Thread *parent);
  bool takeSlot(const Thread *parent, Slot &slot);
  void addEdges(Thread &thread, const trace::Event &event);
  const std::shared_ptr<const Clock> &hardClock(Thread &thread);
  void hold(Thread &thread, LockSetId locks);
  void useMade(Thread &thread, const trace::Event &event);
  void freeMade(Thread &thread, const trace::Event &event, uint64_t bytes);
  MadeObjects::Deed deedOf(const Thread &thread, const trace::Event &event) const;
  void addMade(uint64_t address, const MadeObjects::Deed &earlier, const MadeObjects::Deed &later);
  WhereId whereOf(Thread &thread);
  const Clock *copyOf(const Clock &clock, uint64_t version, ClockCopy &copy);
  void startBenignAnew(uint64_t address, uint64_t bytes);
  bool doesNotCount(const Thread &thread, uint64_t address, uint8_t kind) const;
  void use(Thread &thread, const trace::Event &event);
  uint32_t callId(CallPlace call);
  void touch(Thread &thread, const trace::Event &event, uint32_t access, uint64_t bytes, uint8_t touch);
  void send(Thread &thread, MemoryAccess access);
  void toShards(const MemoryAccess &access);
  void flush();
  ThreadPlaces &placesOf(trace::ThreadNumber thread);
  std::optional<RaceSide> sideOf(trace::ThreadNumber thread, uint64_t cell, LockSetId locks);
  bool learns(const Thread &thread, uint64_t cell);
  bool isFree(const RaceSide &side) const;
  void addPair(Thread &thread, const trace::Event &event, const PieceFacts &facts, bool observed, bool predicted);
  void findObject(uint64_t address);
  void findObjects();
  void collectRaces();
  void collectDeadlocks();

  const trace::AccessShapes &shapes_;
  DetectorOptions options_;
  Detection result_;
  Order happensBefore_{kHappensBefore};
  Order hard_{kHard};
  Handover handover_;
  LockOrder lockOrder_;
  std::vector<std::unique_ptr<Thread>> threads_; // by number
  llvm::DenseMap<uint32_t, ThreadPlaces> threadPlaces_;
  PieceTable pieces_;
  RaceTable observedPairs_, predictedPairs_;
  MadeObjects madeObjects_; // if the program remembers; else made_
  bool remembers_ = false;  // the program does, and tells pairs
  bool touched_ = false;    // a shard was ever told of an access
  std::vector<Slot> freeSlots_;
  uint32_t nextSlot_ = 0;
  std::map<CallPlace, uint32_t> callIds_;
  std::map<uint64_t, Block> blocks_;
  std::set<uint64_t> made_;             // locks and the like that a call made or destroyed
  std::map<uint64_t, uint64_t> benign_; // bytes by address, as annotated
  std::vector<uint64_t> freed_;         // blocks that wait for the end of the batch
  std::unique_ptr<Pool> pool_;          // none: one thread
  std::vector<std::unique_ptr<Shard>> shards_;
  std::deque<Clock> clocks_; // of the batch
  uint64_t batch_ = 1;
  size_t batchSize_ = 0;
  uint64_t sequence_ = 0;
};

} // namespace deadheat::detect
