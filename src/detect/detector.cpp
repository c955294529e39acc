#include <algorithm>

#include "detect/detector_state.h"

namespace deadheat::detect {
namespace {

using abi::SyncKind;
using trace::Event;
using trace::Kind;
using trace::ThreadNumber;
using Form = trace::AccessShape::Form;

constexpr uint32_t kMaxThreadNumber = 1 << 24; // a larger one is damage

bool isLock(SyncKind kind) { return kind == SyncKind::Mutex || kind == SyncKind::RwLock || kind == SyncKind::SpinLock; }

} // namespace

// In the order of abi/events.def, then the plain access.
const Detector::Handler Detector::kHandlers[] = {
    &Detector::ignore,       // Window
    &Detector::enter,        // Enter
    &Detector::replaceStack, // Stack
    &Detector::gap,          // Gap
    &Detector::load,         // Load
    &Detector::plain,        // Range
    &Detector::library,      // Bytes
    &Detector::atomic,       // Atomic
    &Detector::fence,        // Fence
    &Detector::allocate,     // Allocate
    &Detector::free,         // Free
    &Detector::acquire,      // Acquire
    &Detector::release,      // Release
    &Detector::synchronise,  // Signal
    &Detector::synchronise,  // Wait
    &Detector::make,         // Make
    &Detector::want,         // Want
    &Detector::spawn,        // Spawn
    &Detector::begin,        // Begin
    &Detector::ignore,       // End
    &Detector::join,         // Join
    &Detector::enterSignal,  // SignalEnter
    &Detector::leaveSignal,  // SignalLeave
    &Detector::ignoreFrom,   // Ignore
    &Detector::benign,       // Benign
    &Detector::ignore,       // Samplers
    &Detector::ignore,       // Tally
    &Detector::context,      // Context
    &Detector::at,           // At
    &Detector::spot,         // Spot
    &Detector::piece,        // Piece
    &Detector::pair,         // Pair
    &Detector::ignore,       // Seen
    &Detector::plain,        // Access
};

Detector::Detector(const trace::AccessShapes &shapes, DetectorOptions options)
    : shapes_(shapes), options_(options), lockOrder_(result_.lockSets) {
  static_assert(std::size(kHandlers) == trace::kKinds);
  if (options_.jobs > 1) pool_ = std::make_unique<Pool>(options_.jobs);
  for (size_t shard = 0; shard != kShards; ++shard)
    shards_.push_back(std::make_unique<Shard>(shard, options_, result_));
}

Detector::~Detector() = default;

void Detector::apply(const Event &event) {
  if (event.thread.value() > kMaxThreadNumber) return;
  ++sequence_;
  (this->*kHandlers[static_cast<size_t>(event.kind)])(threadOf(event.thread), event);
}

// --- threads

bool Detector::takeSlot(const Thread *parent, Slot &slot) {
  auto reusable = [&](Slot old) {
    return std::ranges::all_of(orders(),
                               [&](const Order *order) { return order->clock(parent->slot)[old] >= order->tick(old); });
  };
  auto found = parent ? std::ranges::find_if(freeSlots_, reusable) : freeSlots_.end();
  if (found != freeSlots_.end()) {
    slot = *found;
    freeSlots_.erase(found);
    return true;
  }
  if (nextSlot_ > UINT16_MAX) return false;
  slot = static_cast<Slot>(nextSlot_++);
  return true;
}

// Without a parent the thread is after all that there was: no one knows better.
Detector::Thread *Detector::start(ThreadNumber number, Thread *parent) {
  if (number.value() >= threads_.size()) threads_.resize(number.value() + 1);
  Slot slot = 0;
  if (!takeSlot(parent, slot))
    ++result_.counts.ignoredThreads; // shares the first thread's slot: no race with it is seen
  for (Order *order : orders())
    if (parent)
      order->spawn(parent->slot, slot);
    else
      order->startFirst(slot);
  handover_.start(slot);
  result_.threads[number].number = number;
  auto &thread = threads_[number.value()];
  thread = std::make_unique<Thread>(number, slot, result_.stacks.root(number));
  return thread.get();
}

Detector::Thread &Detector::threadOf(ThreadNumber number) {
  if (number.value() < threads_.size() && threads_[number.value()]) return *threads_[number.value()];
  return *start(number, nullptr);
}

void Detector::spawn(Thread &thread, const Event &event) {
  if (event.number > kMaxThreadNumber) return;
  ThreadNumber number(static_cast<uint32_t>(event.number));
  if (number.value() < threads_.size() && threads_[number.value()]) return; // damage: it is there already
  StackId createdIn = thread.stack.current();
  ThreadNumber parent = thread.number;
  start(number, &thread);
  result_.threads[number] = {number, parent, event.place, createdIn, 0};
}

void Detector::begin(Thread &thread, const Event &event) { result_.threads[thread.number].entry = event.place; }

void Detector::join(Thread &thread, const Event &event) {
  if (event.number >= threads_.size() || !threads_[event.number] || event.number == thread.number.value()) return;
  Slot ended = threads_[event.number]->slot;
  for (Order *order : orders()) order->join(thread.slot, ended);
  // A slot that two threads share because there were no more stays taken.
  if (nextSlot_ <= UINT16_MAX) freeSlots_.push_back(ended);
  threads_[event.number].reset();
}

// --- stacks and signals

void Detector::enter(Thread &thread, const Event &event) {
  thread.stack.enter(event, result_.stacks);
  thread.where = WhereId();
}

void Detector::replaceStack(Thread &thread, const Event &event) {
  thread.stack.replace(event, result_.stacks);
  thread.where = WhereId();
}

void Detector::enterSignal(Thread &thread, const Event &) {
  thread.stack.enterSignal();
  thread.where = WhereId();
}

void Detector::leaveSignal(Thread &thread, const Event &) {
  thread.stack.leaveSignal();
  thread.where = WhereId();
}

void Detector::load(Thread &, const Event &event) {
  result_.loads[static_cast<uint32_t>(event.number)] = event.address;
}

void Detector::gap(Thread &, const Event &) {
  for (Order *order : orders()) order->orderAll();
}

// --- synchronisation

void Detector::synchronise(Thread &thread, const Event &event) {
  if ((thread.ignored & abi::kIgnoreSync) != 0) return;
  // Whoever waited may be let go by one who then destroys what it waited at.
  if (event.kind != Kind::Wait && event.kind != Kind::Fence) use(thread, event);
  ++result_.counts.synchronisations;
  result_.counts.learnt += event.sync == SyncKind::State && (event.flags & abi::kStateByLock) != 0;
  for (Order *order : orders()) {
    order->applyFirst(thread.slot, event, Form::Unknown);
    order->applySecond(thread.slot, event, Form::Unknown);
  }
}

void Detector::ignoreFrom(Thread &thread, const Event &event) { thread.ignored = event.number & 0xff; }

void Detector::fence(Thread &thread, const Event &event) { synchronise(thread, event); }

void Detector::addEdges(Thread &thread, const Event &event) {
  if (thread.locks.empty() || (event.flags & (abi::kTried | abi::kRecursive)) != 0) return;
  LockEdge edge;
  edge.wants = result_.locks.find(event.address, event.sync);
  edge.wantsShared = (event.flags & abi::kShared) != 0;
  edge.thread = thread.number;
  edge.held = thread.lockSet;
  edge.stack = thread.stack.current();
  edge.place = event.place;
  edge.slot = thread.slot;
  for (const Held &held : thread.locks) {
    edge.holds = held.held.lock;
    edge.holdsShared = held.held.shared;
    edge.heldPlace = held.place;
    if (edge.holds == edge.wants || lockOrder_.knows(edge)) continue;
    edge.hard = hardClock(thread);
    lockOrder_.add(edge);
  }
}

// The thread's clock in hard order, shared by all edges until it changes.
const std::shared_ptr<const Clock> &Detector::hardClock(Thread &thread) {
  if (!thread.hardShared || thread.hardSharedVersion != hard_.version(thread.slot)) {
    thread.hardShared = std::make_shared<Clock>(hard_.clock(thread.slot));
    thread.hardSharedVersion = hard_.version(thread.slot);
  }
  return thread.hardShared;
}

void Detector::want(Thread &thread, const Event &event) {
  if (!isLock(event.sync)) return;
  addEdges(thread, event);
  thread.wants = HeldLock{result_.locks.find(event.address, event.sync), (event.flags & abi::kShared) != 0};
}

void Detector::acquire(Thread &thread, const Event &event) {
  synchronise(thread, event);
  if (!isLock(event.sync) || (event.flags & abi::kRecursive) != 0) return;
  addEdges(thread, event);
  thread.wants.reset();
  HeldLock held{result_.locks.find(event.address, event.sync), (event.flags & abi::kShared) != 0};
  thread.locks.push_back({held, event.place, {}});
  hold(thread, result_.lockSets.with(thread.lockSet, held));
}

void Detector::release(Thread &thread, const Event &event) {
  synchronise(thread, event);
  if (!isLock(event.sync) || (event.flags & abi::kRecursive) != 0) return;
  LockId lock = result_.locks.find(event.address, event.sync);
  auto last = std::find_if(thread.locks.rbegin(), thread.locks.rend(),
                           [&](const Held &held) { return held.held.lock == lock; });
  if (last == thread.locks.rend()) return;
  if (remembers_)
    handover_.order().step(thread.slot);
  else
    handover_.endSection(thread.slot, lock, last->cells);
  const HeldLock held = last->held;
  thread.locks.erase(std::next(last).base());
  if (std::ranges::find(thread.locks, held, &Held::held) == thread.locks.end())
    hold(thread, result_.lockSets.without(thread.lockSet, held));
}

void Detector::hold(Thread &thread, LockSetId locks) {
  thread.lockSet = locks;
  thread.where = WhereId();
}

} // namespace deadheat::detect
