#include "detect/order.h"

namespace deadheat::detect {
namespace {

using abi::SyncKind;
using trace::Event;
using trace::Kind;
using Form = trace::AccessShape::Form;

constexpr uint32_t kWord = 4; // of which a wider atomic may be made

bool acquires(abi::Order order) { return order != abi::Order::Relaxed && order != abi::Order::Release; }
bool releases(abi::Order order) { return order >= abi::Order::Release; }

bool isLock(SyncKind kind) { return kind == SyncKind::Mutex || kind == SyncKind::RwLock || kind == SyncKind::SpinLock; }

} // namespace

void Order::applyFirst(Slot slot, const Event &event, Form form, uint32_t bytes) {
  if (event.kind == Kind::Acquire)
    acquire(slot, event);
  else if (event.kind == Kind::Wait)
    wait(slot, event);
  else if (event.kind == Kind::Atomic && form != Form::AtomicWrite)
    load(slot, event, bytes);
}

void Order::applySecond(Slot slot, const Event &event, Form form) {
  bool update = form == Form::AtomicUpdate;
  if (event.kind == Kind::Release)
    release(slot, event);
  else if (event.kind == Kind::Signal)
    signal(slot, event);
  else if (event.kind == Kind::Fence)
    fence(slot, event);
  else if (event.kind == Kind::Atomic && (form == Form::AtomicWrite || (update && event.succeeded)))
    store(slot, event, update);
}

Order::Thread &Order::threadOf(Slot slot) {
  if (slot >= threads_.size()) threads_.resize(slot + 1);
  return threads_[slot];
}

void Order::take(Slot slot, const Clock &clock) {
  Thread &thread = threads_[slot];
  if (thread.clock.join(clock)) ++thread.version;
}

Clock Order::give(Slot slot) {
  Clock given = threads_[slot].clock;
  advance(slot);
  return given;
}

// Saturates after four thousand million releases of one thread: from then on it may hide a race, and invents none.
void Order::advance(Slot slot) {
  Thread &thread = threads_[slot];
  Tick now = thread.clock[slot];
  if (now == UINT32_MAX) return;
  thread.clock.set(slot, now + 1);
  ++thread.version;
}

void Order::startFirst(Slot slot) {
  threadOf(slot) = Thread();
  for (size_t other = 0; other != threads_.size(); ++other) {
    if (other == slot) continue;
    take(slot, threads_[other].clock);
    advance(static_cast<Slot>(other));
  }
  advance(slot);
}

void Order::spawn(Slot parent, Slot child) {
  uint64_t version = threadOf(child).version;
  threads_[child] = Thread();
  threads_[child].version = version + 1;
  take(child, threads_[parent].clock);
  advance(child);
  advance(parent);
}

void Order::join(Slot waiting, Slot ended) { take(waiting, threads_[ended].clock); }

bool Order::counts(const Event &event) const {
  if (event.sync == SyncKind::State)
    return (event.flags & abi::kStateNamed) == 0 && ((event.flags & abi::kStateByLock) == 0 || rules_.locks);
  if (isLock(event.sync)) return rules_.locks && (event.flags & abi::kRecursive) == 0;
  return event.sync != SyncKind::Condition || rules_.conditions;
}

void Order::acquire(Slot slot, const Event &event) {
  if (!isLock(event.sync)) return wait(slot, event);
  if (!counts(event)) return;
  Object &lock = objects_[event.address];
  take(slot, lock.released);
  if ((event.flags & abi::kShared) == 0) take(slot, lock.readers);
}

void Order::release(Slot slot, const Event &event) {
  if (!isLock(event.sync)) return signal(slot, event);
  if (!counts(event)) return;
  Object &lock = objects_[event.address];
  ((event.flags & abi::kShared) != 0 ? lock.readers : lock.released).join(threads_[slot].clock);
  advance(slot);
}

void Order::signal(Slot slot, const Event &event) {
  if (!counts(event)) return;
  if (event.sync == SyncKind::State) return giveState(slot, event);
  Object &object = objects_[event.address];
  if (event.sync == SyncKind::Barrier)
    arrive(slot, event.thread, object);
  else
    object.released.join(threads_[slot].clock);
  advance(slot);
}

void Order::wait(Slot slot, const Event &event) {
  if (!counts(event)) return;
  if (event.sync == SyncKind::State) return learnState(slot, event);
  Object &object = objects_[event.address];
  if (event.sync == SyncKind::Barrier)
    leave(slot, event.thread, object);
  else
    take(slot, object.released);
}

// One that is not there any more, or never was, is taken for all that was until now.
Clock Order::stateOf(uint64_t object) {
  if (auto state = states_.find(object); state != states_.end()) return state->second;
  Clock all;
  for (size_t slot = 0; slot != threads_.size(); ++slot) {
    all.join(threads_[slot].clock);
    advance(static_cast<Slot>(slot));
  }
  return all;
}

void Order::giveState(Slot slot, const Event &event) {
  Clock given = event.place != 0 ? stateOf(event.place) : Clock();
  if ((event.flags & abi::kStateOwn) != 0) {
    given.join(threads_[slot].clock);
    advance(slot);
  }
  auto [state, isNew] = states_.try_emplace(event.address);
  state->second.join(given);
  if (isNew) stateAges_.push_back(event.address);
  for (; stateAges_.size() * threads_.size() > kMaxStateTicks; stateAges_.pop_front())
    states_.erase(stateAges_.front());
}

void Order::learnState(Slot slot, const Event &event) { take(slot, stateOf(event.address)); }

void Order::arrive(Slot slot, trace::ThreadNumber thread, Object &barrier) {
  if (!barrier.generation || !barrier.generation->open) barrier.generation = std::make_shared<Generation>();
  barrier.generation->arrived.join(threads_[slot].clock);
  barrier.own[thread] = barrier.generation;
}

// A thread leaves before it can arrive again, so the first to leave closes the generation, and none of the next has
// come by then: unless more threads use the barrier than it counts.
void Order::leave(Slot slot, trace::ThreadNumber thread, Object &barrier) {
  auto own = barrier.own.find(thread);
  if (own == barrier.own.end()) return;
  own->second->open = false;
  take(slot, own->second->arrived);
  barrier.own.erase(own);
}

void Order::loadAt(Slot slot, uint64_t address, abi::Order order) {
  const Atomic *value = atomics_.find(address);
  if (!value) return;
  if (acquires(order))
    take(slot, value->all);
  else
    threads_[slot].seen.join(value->all);
}

void Order::load(Slot slot, const Event &event, uint32_t bytes) {
  // Compilers look at the flag of a static themselves, and call __cxa_guard_acquire only where it is not made.
  if (const Object *once = objects_.find(event.address); once && acquires(event.order)) take(slot, once->released);
  loadAt(slot, event.address, event.order);
  for (uint32_t at = kWord; at < bytes; at += kWord) loadAt(slot, event.address + at, event.order);
}

void Order::store(Slot slot, const Event &event, bool continues) {
  Atomic &value = atomics_[event.address];
  if (!continues) std::erase_if(value.heads, [&](const Head &head) { return head.thread != event.thread; });
  const Clock &given = releases(event.order) ? threads_[slot].clock : threads_[slot].released;
  if (!given.empty()) {
    auto own = std::ranges::find(value.heads, event.thread, &Head::thread);
    if (own == value.heads.end()) own = value.heads.insert(own, Head{event.thread, {}});
    own->clock.join(given);
  }
  if (!continues) value.all.clear();
  for (const Head &head : value.heads)
    if (!continues || head.thread == event.thread) value.all.join(head.clock);
  if (releases(event.order)) advance(slot);
}

void Order::fence(Slot slot, const Event &event) {
  if (acquires(event.order)) take(slot, threads_[slot].seen);
  if (!releases(event.order)) return;
  threads_[slot].released = threads_[slot].clock;
  advance(slot);
}

void Order::forget(uint64_t address, uint64_t bytes) {
  objects_.eraseRange(address, bytes);
  atomics_.eraseRange(address, bytes);
}

void Order::orderAll() {
  Clock all;
  for (const Thread &thread : threads_) all.join(thread.clock);
  for (size_t slot = 0; slot != threads_.size(); ++slot) {
    take(static_cast<Slot>(slot), all);
    advance(static_cast<Slot>(slot));
  }
}

} // namespace deadheat::detect
