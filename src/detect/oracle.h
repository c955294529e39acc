// Happens-before by its definition, for tests: edges between events, and all paths along them. Nothing here knows of clocks.
//
// Cost    Quadratic; at most 64 events.
#pragma once

#include <bit>
#include <map>
#include <vector>

#include "detect/order.h"
#include "detect/random_history.h"

namespace deadheat::detect {

class Oracle {
public:
  Oracle(const RandomHistory &history, OrderRules rules) : history_(history), rules_(rules) {
    before_.resize(history.events.size());
    for (size_t at = 0; at != before_.size(); ++at) visit(at);
  }

  bool isBefore(size_t left, size_t right) const { return (before_[right] >> left & 1) != 0; }

private:
  using Event = trace::Event;
  using Form = trace::AccessShape::Form;
  using Kind = trace::Kind;
  using SyncKind = abi::SyncKind;

  const Event &event(size_t at) const { return history_.events[at]; }
  Form form(size_t at) const { return history_.forms[at]; }
  void edge(size_t from, size_t to) { before_[to] |= before_[from] | uint64_t(1) << from; }

  static bool isLock(SyncKind kind) { return kind == SyncKind::Mutex || kind == SyncKind::RwLock; }
  static bool acquires(abi::Order order) { return order != abi::Order::Relaxed && order != abi::Order::Release; }
  static bool releases(abi::Order order) { return order >= abi::Order::Release; }
  bool modifies(size_t at) const {
    return event(at).kind == Kind::Atomic && trace::writes(form(at)) && event(at).succeeded;
  }
  bool isUpdate(size_t at) const { return form(at) == Form::AtomicUpdate; }
  bool reads(size_t at) const { return event(at).kind == Kind::Atomic && form(at) != Form::AtomicWrite; }

  void visit(size_t at) {
    uint32_t thread = event(at).thread.value();
    if (auto last = last_.find(thread); last != last_.end()) edge(last->second, at);
    if (auto spawn = spawns_.find(thread); spawn != spawns_.end()) edge(spawn->second, at);
    const Event &now = event(at);
    if (now.kind == Kind::Spawn) spawns_[static_cast<uint32_t>(now.number)] = at;
    if (now.kind == Kind::Join) {
      auto child = static_cast<uint32_t>(now.number);
      edge(last_.contains(child) ? last_[child] : spawns_[child], at);
    }
    if (now.kind == Kind::Acquire || now.kind == Kind::Wait) receive(at);
    if (reads(at) && acquires(now.order)) readFrom(at, at);
    if (now.kind == Kind::Fence && acquires(now.order))
      for (size_t load = 0; load != at; ++load)
        if (reads(load) && event(load).thread == now.thread) readFrom(load, at);
    last_[thread] = at;
  }

  // Locks, semaphores and their like: who released the object before.
  void receive(size_t at) {
    const Event &now = event(at);
    if (isLock(now.sync) ? !rules_.locks : (now.sync == SyncKind::Condition && !rules_.conditions)) return;
    for (size_t from = 0; from != at; ++from) {
      const Event &then = event(from);
      bool gives = (then.kind == Kind::Release || then.kind == Kind::Signal) && then.address == now.address;
      bool bothRead = (then.flags & now.flags & abi::kShared) != 0;
      if (gives && !bothRead && (now.sync != SyncKind::Barrier || sameGeneration(from, at))) edge(from, at);
    }
  }

  // The barrier is for two: arrivals pair up in order.
  bool sameGeneration(size_t arrival, size_t leaving) const {
    auto arrivalsBefore = [&](size_t end, uint32_t thread) { // all, or those of a thread
      size_t count = 0;
      for (size_t at = 0; at != end; ++at)
        count += event(at).kind == Kind::Signal && event(at).sync == SyncKind::Barrier &&
                 (thread == 0 || event(at).thread.value() == thread);
      return count;
    };
    size_t own = leaving;
    while (!(event(own).kind == Kind::Signal && event(own).sync == SyncKind::Barrier &&
             event(own).thread == event(leaving).thread))
      --own;
    return arrivalsBefore(own, 0) / 2 == arrivalsBefore(arrival, 0) / 2;
  }

  // The load sees the latest modification. Every head of a release sequence that holds it synchronises with `target`.
  void readFrom(size_t load, size_t target) {
    bool unbroken = true; // for heads of any thread
    std::vector<size_t> later;
    for (size_t at = load; at-- != 0 && unbroken;) {
      if (!modifies(at) || event(at).address != event(load).address) continue;
      bool heads = true;
      for (size_t other : later) heads &= isUpdate(other) || event(other).thread == event(at).thread;
      if (heads) head(at, target);
      later.push_back(at);
    }
  }

  void head(size_t store, size_t target) {
    if (releases(event(store).order)) edge(store, target);
    for (size_t at = 0; at != store; ++at)
      if (event(at).kind == Kind::Fence && releases(event(at).order) && event(at).thread == event(store).thread)
        edge(at, target);
  }

  const RandomHistory &history_;
  OrderRules rules_;
  std::vector<uint64_t> before_; // bit n: event n is before this one
  std::map<uint32_t, size_t> last_, spawns_;
};

} // namespace deadheat::detect
