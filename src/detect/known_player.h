// Plays a history as a sampled program would tell it that keeps what its threads know (abi/known.h), for tests: accesses are told,
// of locks, atomics and fences only what somebody learns from them.
#pragma once

#include <cstdlib>
#include <map>
#include <memory>
#include <vector>

#include "abi/known.h"
#include "detect/random_history.h"

namespace deadheat::detect {

class KnownPlayer {
public:
  // When a thread gives what an atomic operation releases: as it happens, or long before, right after what the thread did last.
  enum class Gives { InTime, Early };

  // Whether locks are told, too, for the sake of lock sets.
  explicit KnownPlayer(bool tellsLocks, bool tellsAtomics = true, Gives gives = Gives::InTime)
      : tellsLocks_(tellsLocks), tellsAtomics_(tellsAtomics), gives_(gives),
        table_(static_cast<abi::KnownTable *>(std::calloc(1, sizeof(abi::KnownTable)))) {
    table_->knowers = abi::kNearKnowers - 2; // threads before: some places are near, some far
  }

  std::vector<trace::Event> play(const RandomHistory &history) {
    for (size_t at = 0; at != history.events.size(); ++at) {
      step(history.events[at], history.forms[at]);
      if (gives_ == Gives::Early) beginNext(history, at);
    }
    return std::move(told_);
  }

  size_t passedOver() const {
    return passedOver_;
  } // atomic operations that changed nothing, where accesses by them are not told
  size_t looks() const { return looks_; } // that said that there is nothing to do
  size_t wrongLooks() const { return wrongLooks_; }
  size_t synchronisations() const { return synchronisations_; } // of the history, that could have been told

private:
  using Event = trace::Event;
  using Kind = trace::Kind;
  using Form = trace::AccessShape::Form;

  struct Thread {
    abi::Knower knower = {};
    uint64_t news = 0;
    bool begun = false; // its next operation, by giveBefore
  };

  // What abi::Knowing wants.
  struct Teller {
    KnownPlayer &player;
    trace::ThreadNumber thread;

    bool publish(abi::U64 id, bool own, abi::U64 also) {
      if (also != 0) tell(Kind::Wait, also, abi::kStateNamed, 0);
      tell(Kind::Signal, id, own ? abi::kStateOwn : 0, also == 0 ? 0 : abi::stateObject(also));
      return true;
    }
    void learn(abi::U64 id, abi::Passage passage) {
      tell(Kind::Wait, id, passage == abi::Passage::Lock ? abi::kStateByLock : 0, 0);
    }
    abi::U64 news() { return player.threads_[thread.value()].news; }
    bool wait(int) { return false; }

    void tell(Kind kind, abi::U64 id, uint8_t flags, uint64_t place) {
      Event event;
      event.thread = thread;
      event.kind = kind;
      event.sync = abi::SyncKind::State;
      event.address = abi::stateObject(id);
      event.flags = flags;
      event.place = place;
      player.told_.push_back(event);
    }
  };

  Thread &threadOf(trace::ThreadNumber number, Teller &teller) {
    auto [found, isNew] = threads_.try_emplace(number.value());
    if (isNew) {
      found->second.knower.number = number.value();
      abi::Knowing(*table_, found->second.knower, teller).takePlace();
    }
    return found->second;
  }

  void tell(const Event &event) {
    ++threads_[event.thread.value()].news;
    told_.push_back(event);
  }

  void step(const Event &event, Form form) {
    Teller teller{*this, event.thread};
    Thread &thread = threadOf(event.thread, teller);
    abi::Knowing knowing(*table_, thread.knower, teller);
    const bool shared = (event.flags & abi::kShared) != 0;
    const bool isLock = event.kind == Kind::Acquire || event.kind == Kind::Release;
    synchronisations_ += isLock || event.kind == Kind::Atomic || event.kind == Kind::Fence;
    if (event.kind == Kind::Atomic) return atomic(event, form, knowing, thread);
    if (event.kind == Kind::Fence) return knowing.fence(event.order);
    if (event.kind == Kind::Acquire)
      look(knowsLock(thread.knower, event.address, !shared), [&] { knowing.takeLock(event.address, !shared); });
    if (event.kind == Kind::Release) {
      const uint64_t object = shared ? abi::readersOf(event.address) : event.address;
      look(abi::keepsGiven(*table_, thread.knower, object, thread.news),
           [&] { knowing.giveLock(event.address, shared); });
    }
    if (event.kind == Kind::Spawn) {
      tell(event);
      Teller other{*this, trace::ThreadNumber(static_cast<uint32_t>(event.number))};
      threadOf(other.thread, other).knower.known = threads_[event.thread.value()].knower.known;
      return;
    }
    if (!isLock) return tell(event);
    told_.push_back(event);
    if (!tellsLocks_) told_.back().flags |= abi::kRecursive; // then order comes from states alone
  }

  bool knowsLock(const abi::Knower &knower, uint64_t object, bool hasReaders) const {
    auto knows = [&](uint64_t kept) { return abi::knowsAtOnce(*table_, knower, kept, abi::Passage::Lock); };
    return knows(object) && (!hasReaders || knows(abi::readersOf(object)));
  }

  // What a look says is not to be done is done all the same, and must tell nothing.
  template <typename Act> void look(bool saysNothing, Act act) {
    const size_t before = told_.size();
    act();
    looks_ += saysNothing;
    wrongLooks_ += saysNothing && told_.size() != before;
  }

  static bool releases(const Event &event) { return event.order >= abi::Order::Release; }

  bool giveBefore(const Event &event, Thread &thread) {
    return !tellsAtomics_ && releases(event) && event.succeeded &&
           abi::giveBefore(*table_, thread.knower, event.address, thread.news);
  }

  void beginNext(const RandomHistory &history, size_t now) {
    const trace::ThreadNumber number = history.events[now].thread;
    for (size_t at = now + 1; at != history.events.size(); ++at) {
      const Event &next = history.events[at];
      if (next.thread != number) continue;
      const bool isWrite = next.kind == Kind::Atomic && history.forms[at] != Form::AtomicRead;
      threads_[number.value()].begun = isWrite && giveBefore(next, threads_[number.value()]);
      return;
    }
  }

  void atomic(const Event &event, Form form, abi::Knowing<Teller> &knowing, Thread &thread) {
    Event access = event;
    access.order = abi::Order::Relaxed;
    if (form == Form::AtomicRead) {
      look(abi::knowsAtOnce(*table_, thread.knower, event.address, abi::Passage::Message),
           [&] { knowing.load(event.address, event.order); });
      return tellAtomic(access);
    }
    const bool begun = thread.begun || giveBefore(event, thread);
    thread.begun = false;
    const bool atOnce = abi::changesNothingAtOnce(*table_, thread.knower, event.address, releases(event), thread.news);
    looks_ += atOnce;
    if (!tellsAtomics_ && abi::changesNothing(*table_, thread.knower, event.address, releases(event), thread.news)) {
      ++passedOver_;
      return;
    }
    wrongLooks_ += !tellsAtomics_ && atOnce;
    if (!begun) knowing.beginWrite(event.address);
    knowing.endWrite(event.address, event.succeeded, form == Form::AtomicUpdate, event.order,
                     [&] { tellAtomic(access); });
  }

  void tellAtomic(const Event &access) {
    if (tellsAtomics_) tell(access);
  }

  const bool tellsLocks_;
  const bool tellsAtomics_;
  const Gives gives_;
  struct Release {
    void operator()(abi::KnownTable *table) const { std::free(table); }
  };
  std::unique_ptr<abi::KnownTable, Release> table_; // large, and hardly touched: zeroed by the kernel
  std::map<uint32_t, Thread> threads_;
  std::vector<Event> told_;
  size_t synchronisations_ = 0;
  size_t passedOver_ = 0;
  size_t looks_ = 0;
  size_t wrongLooks_ = 0;
};

} // namespace deadheat::detect
