// Random well-formed executions for tests: what they do is possible, so a verdict on them means something.
#pragma once

#include <map>
#include <optional>
#include <random>
#include <set>
#include <vector>

#include "trace/event.h"

namespace deadheat::detect {

struct RandomHistory {
  std::vector<trace::Event> events; // an access has its position + 1 as id
  trace::AccessShapes shapes;
  std::vector<trace::AccessShape::Form> forms; // by position
};

class RandomHistoryMaker {
public:
  RandomHistoryMaker(uint64_t seed, size_t length) : random_(seed), length_(length) {
    running_ = {1};
    arriving_.resize(kBarriers);
  }

  RandomHistory make() {
    while (history_.events.size() < length_) step();
    return std::move(history_);
  }

private:
  using Event = trace::Event;
  using Form = trace::AccessShape::Form;
  using Kind = trace::Kind;
  using SyncKind = abi::SyncKind;

  static constexpr uint32_t kMaxThreads = 5, kLocks = 2, kVariables = 3, kBarriers = 1;

  uint32_t pick(uint32_t count) { return static_cast<uint32_t>(random_() % count); }

  void push(uint32_t thread, Event event, Form form = Form::Unknown, uint32_t bytes = 0) {
    event.thread = trace::ThreadNumber(thread);
    event.stamp = 1; // not read after the merge
    auto id = static_cast<uint32_t>(history_.events.size() + 1);
    if (form != Form::Unknown) {
      event.access = id;
      history_.shapes.add(id, {{form, bytes}});
    }
    history_.events.push_back(event);
    history_.forms.push_back(form);
  }

  void step() {
    uint32_t thread = *std::next(running_.begin(), pick(static_cast<uint32_t>(running_.size())));
    if (blocked_.contains(thread)) return leaveBarrier(thread);
    using Step = void (RandomHistoryMaker::*)(uint32_t);
    static constexpr Step kSteps[] = {
        &RandomHistoryMaker::plain,  &RandomHistoryMaker::plain,     &RandomHistoryMaker::plain,
        &RandomHistoryMaker::plain,  &RandomHistoryMaker::atomic,    &RandomHistoryMaker::atomic,
        &RandomHistoryMaker::atomic, &RandomHistoryMaker::fence,     &RandomHistoryMaker::mutex,
        &RandomHistoryMaker::mutex,  &RandomHistoryMaker::readWrite, &RandomHistoryMaker::signal,
        &RandomHistoryMaker::arrive, &RandomHistoryMaker::threads};
    (this->*kSteps[pick(std::size(kSteps))])(thread);
  }

  void plain(uint32_t thread) {
    Event event;
    event.kind = Kind::Access;
    event.address = 0x1000 + pick(kVariables) * 16 + pick(10);
    push(thread, event, pick(2) ? Form::Write : Form::Read, 1u << pick(4));
  }

  void atomic(uint32_t thread) {
    static constexpr Form kForms[] = {Form::AtomicRead, Form::AtomicWrite, Form::AtomicUpdate};
    static constexpr abi::Order kOrders[3][4] = {
        {abi::Order::Relaxed, abi::Order::Acquire, abi::Order::Consume, abi::Order::Sequential},
        {abi::Order::Relaxed, abi::Order::Relaxed, abi::Order::Release, abi::Order::Sequential},
        {abi::Order::Relaxed, abi::Order::Acquire, abi::Order::Release, abi::Order::AcquireRelease}};
    uint32_t form = pick(3);
    Event event;
    event.kind = Kind::Atomic;
    event.address = pick(4) == 0 ? 0x1000 + pick(kVariables) * 16 : 0x2000 + pick(2) * 8;
    event.order = kOrders[form][pick(4)];
    event.succeeded = form != 2 || pick(4) != 0;
    push(thread, event, kForms[form], 4);
  }

  void fence(uint32_t thread) {
    static constexpr abi::Order kOrders[] = {abi::Order::Acquire, abi::Order::Release, abi::Order::AcquireRelease,
                                             abi::Order::Sequential};
    Event event;
    event.kind = Kind::Fence;
    event.order = kOrders[pick(4)];
    push(thread, event);
  }

  void lockEvent(uint32_t thread, Kind kind, SyncKind sync, uint64_t address, uint8_t flags) {
    Event event;
    event.kind = kind;
    event.sync = sync;
    event.address = address;
    event.flags = flags;
    push(thread, event);
  }

  void mutex(uint32_t thread) {
    uint64_t lock = 0x3000 + pick(kLocks) * 64;
    auto owner = owners_.find(lock);
    if (owner == owners_.end()) {
      owners_[lock] = thread;
      lockEvent(thread, Kind::Acquire, SyncKind::Mutex, lock, 0);
    } else if (owner->second == thread) {
      owners_.erase(owner);
      lockEvent(thread, Kind::Release, SyncKind::Mutex, lock, 0);
    }
  }

  void readWrite(uint32_t thread) {
    constexpr uint64_t kLock = 0x4000;
    if (readers_.erase(thread)) {
      lockEvent(thread, Kind::Release, SyncKind::RwLock, kLock, abi::kShared);
    } else if (writer_ == thread) {
      writer_ = 0;
      lockEvent(thread, Kind::Release, SyncKind::RwLock, kLock, abi::kWriter);
    } else if (writer_ == 0 && readers_.empty() && pick(2)) {
      writer_ = thread;
      lockEvent(thread, Kind::Acquire, SyncKind::RwLock, kLock, 0);
    } else if (writer_ == 0) {
      readers_.insert(thread);
      lockEvent(thread, Kind::Acquire, SyncKind::RwLock, kLock, abi::kShared);
    }
  }

  void signal(uint32_t thread) {
    static constexpr SyncKind kKinds[] = {SyncKind::Semaphore, SyncKind::Once, SyncKind::Descriptor,
                                          SyncKind::Condition};
    uint32_t kind = pick(4);
    lockEvent(thread, pick(2) ? Kind::Signal : Kind::Wait, kKinds[kind], 0x5000 + kind * 64, 0);
  }

  // A barrier for the first two threads. (order.h misses generations where more threads use a barrier than it counts.)
  void arrive(uint32_t thread) {
    if (thread > 2 || !running_.contains(1) || !running_.contains(2)) return;
    lockEvent(thread, Kind::Signal, SyncKind::Barrier, 0x6000, 0);
    arriving_[0].insert(thread);
    blocked_.insert(thread);
    if (arriving_[0].size() < 2) return;
    for (uint32_t free : arriving_[0]) mayLeave_.insert(free);
    arriving_[0].clear();
  }

  void leaveBarrier(uint32_t thread) {
    if (!mayLeave_.erase(thread)) {
      if (blocked_.size() == running_.size() && mayLeave_.empty())
        length_ = history_.events.size(); // nobody else will come
      return;
    }
    blocked_.erase(thread);
    lockEvent(thread, Kind::Wait, SyncKind::Barrier, 0x6000, 0);
  }

  void threads(uint32_t thread) {
    Event event;
    if (nextThread_ <= kMaxThreads && pick(2)) {
      event.kind = Kind::Spawn;
      event.number = nextThread_;
      running_.insert(nextThread_++);
      return push(thread, event);
    }
    if (ended_.empty()) {
      if (thread == 1 || running_.size() < 3) return;
      running_.erase(thread);
      ended_.insert(thread);
      return;
    }
    event.kind = Kind::Join;
    event.number = *ended_.begin();
    ended_.erase(ended_.begin());
    push(thread, event);
  }

  std::mt19937_64 random_;
  size_t length_;
  RandomHistory history_;
  std::set<uint32_t> running_, ended_, blocked_, mayLeave_;
  std::map<uint64_t, uint32_t> owners_;
  std::set<uint32_t> readers_;
  uint32_t writer_ = 0;
  std::vector<std::set<uint32_t>> arriving_;
  uint32_t nextThread_ = 2;
};

} // namespace deadheat::detect
