// What is before what: the clocks of threads, advanced by the synchronisation of one execution.
//
// Claim   With kHappensBefore, an access of thread t at tick n is before an access of thread u, in the sense of C++11, if
//         and only if u's clock has at least n for t then. Atomics count with their orders, fences included: a store with
//         release begins a release sequence; read-modify-writes and stores of the same thread continue it, a store of
//         another thread ends it; a release fence lends its clock to later stores, an acquire fence takes what earlier
//         loads saw. A load of several words reads all that was stored into them, as libstdc++'s look at both counts of a shared pointer does. Readers of a read-write lock are not ordered with each other. Generations of a barrier are apart.
//         With kHard, locks order nothing, and a notification orders the one who waits (RaceFuzzer's SND and RCV).
// Assumes events come in an order that merge.h permits.
// Differs RaceFuzzer has thread start, join and notification as messages, Java having little else; here atomics,
//         semaphores, barriers, once and descriptors are messages too, as no schedule turns them round.
// Cost    Linear in the number of threads alive for each synchronisation.
//         States (abi/known.h) stand for what their givers knew; of those that do not fit into kMaxStateTicks the oldest stands for all that there was.
// Misses  POSIX lets a semaphore's wait be after one post; here it is after all earlier ones. A barrier that more threads
//         use than it counts may join two generations. Either hides races and invents none.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "llvm/ADT/DenseMap.h"

#include "detect/address_map.h"
#include "detect/clock.h"
#include "trace/event.h"

namespace deadheat::detect {

struct OrderRules {
  bool locks;
  bool conditions;
};
inline constexpr OrderRules kHappensBefore{.locks = true, .conditions = false};
inline constexpr OrderRules kHard{.locks = false, .conditions = true};

class Order {
public:
  static constexpr size_t kMaxStateTicks = 1 << 21;

  explicit Order(OrderRules rules) : rules_(rules) {}

  const Clock &clock(Slot slot) const { return threads_[slot].clock; }
  Tick tick(Slot slot) const { return threads_[slot].clock[slot]; }
  uint64_t version(Slot slot) const { return threads_[slot].version; } // changes when the clock does

  void startFirst(Slot slot); // after all that there was
  void spawn(Slot parent, Slot child);
  void join(Slot waiting, Slot ended);

  // Any event but those of threads. An atomic access lies between its two halves: after what it acquires, and part of
  // what it releases.
  // `bytes`: of an atomic access; 0: not known.
  void applyFirst(Slot slot, const trace::Event &event, trace::AccessShape::Form form, uint32_t bytes = 0);
  void applySecond(Slot slot, const trace::Event &event, trace::AccessShape::Form form);

  // What the thread did so far, for someone to take; what it does from now on is not part of it.
  Clock give(Slot slot);
  void step(Slot slot) { advance(slot); } // it gave it already
  void take(Slot slot, const Clock &clock);

  // The memory starts anew: what was an object there is none any more.
  void forget(uint64_t address, uint64_t bytes);

  // Events were lost: all that was is before all that will be.
  void orderAll();

private:
  struct Thread {
    Clock clock;
    Clock released; // at the last release fence
    Clock seen;     // by loads that did not acquire
    uint64_t version = 0;
  };
  struct Generation {
    Clock arrived;
    bool open = true;
  };
  struct Object {
    Clock released;
    Clock readers;                                                  // of a read-write lock: what its readers released
    std::shared_ptr<Generation> generation;                         // of a barrier: the one that gathers
    std::map<trace::ThreadNumber, std::shared_ptr<Generation>> own; // of a barrier: who arrived in which
  };
  struct Head {
    trace::ThreadNumber thread;
    Clock clock;
  };
  struct Atomic {
    std::vector<Head> heads; // of release sequences that the present value belongs to
    Clock all;               // of them
  };

  void acquire(Slot slot, const trace::Event &event);
  void release(Slot slot, const trace::Event &event);
  void signal(Slot slot, const trace::Event &event);
  void wait(Slot slot, const trace::Event &event);
  void giveState(Slot slot, const trace::Event &event);
  void learnState(Slot slot, const trace::Event &event);
  Clock stateOf(uint64_t object);
  void load(Slot slot, const trace::Event &event, uint32_t bytes);
  void loadAt(Slot slot, uint64_t address, abi::Order order);
  void store(Slot slot, const trace::Event &event, bool continues);
  void fence(Slot slot, const trace::Event &event);
  void arrive(Slot slot, trace::ThreadNumber thread, Object &barrier);
  void leave(Slot slot, trace::ThreadNumber thread, Object &barrier);
  bool counts(const trace::Event &event) const;
  void advance(Slot slot);
  Thread &threadOf(Slot slot);

  OrderRules rules_;
  std::vector<Thread> threads_; // by slot
  AddressMap<Object> objects_;
  AddressMap<Atomic> atomics_;
  llvm::DenseMap<uint64_t, Clock> states_; // by object
  std::deque<uint64_t> stateAges_;         // oldest first
};

} // namespace deadheat::detect
