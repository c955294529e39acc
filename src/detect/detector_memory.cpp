// The half of the sequencer that deals with memory: accesses to shards, and the results back.
#include <algorithm>

#include <oneapi/tbb/parallel_for.h>

#include "detect/detector_state.h"

namespace deadheat::detect {
namespace {

using trace::Event;
using trace::Kind;
using Form = trace::AccessShape::Form;

constexpr size_t kBatch = 1 << 15;       // accesses
constexpr uint64_t kMaxRoutedParts = 16; // a longer block that starts anew is told to all shards
constexpr uint64_t kAddressLimit = uint64_t(1) << 47;

} // namespace

void Detector::plain(Thread &thread, const Event &event) {
  trace::AccessShape shape = shapes_[event.access];
  if (shape.form == Form::Unknown) {
    ++result_.counts.unknownAccesses;
    return;
  }
  uint64_t bytes = event.kind == Kind::Range ? event.bytes : std::max(shape.bytes, 1u);
  bool write = trace::writes(shape.form);
  if (!thread.locks.empty() && trace::learns(shape)) followSection(thread, event, bytes, false);
  if (!thread.locks.empty() && write) followSection(thread, event, bytes, true);
  touch(thread, event, event.access, bytes, write ? kWrite : kRead);
}

void Detector::followSection(Thread &thread, const Event &event, uint64_t bytes, bool write) {
  uint64_t first = event.address / kCellBytes;
  uint64_t last = (event.address + std::min(bytes, Handover::kMaxCells * kCellBytes) - 1) / kCellBytes;
  for (Held &held : thread.locks) {
    std::vector<uint64_t> &cells = write ? held.cells.written : held.cells.read;
    for (uint64_t cell = first; cell <= last; ++cell) {
      if (write)
        handover_.write(thread.slot, held.held.lock, cell);
      else
        handover_.read(thread.slot, held.held.lock, cell);
      if (cells.size() < Handover::kMaxCells && (cells.empty() || cells.back() != cell)) cells.push_back(cell);
    }
  }
}

void Detector::library(Thread &thread, const Event &event) {
  bool write = (event.flags & 1) != 0;
  touch(thread, event, callId({event.place, write, false}), event.bytes, write ? kWrite : kRead);
}

void Detector::make(Thread &thread, const Event &event) {
  if (remembers_) return useMade(thread, event);
  made_.insert(event.address);
  touch(thread, event, callId({event.place, true, false}), 1, kWrite);
}

// An object that some call made. Statics are made by no call, and cost nothing here.
void Detector::use(Thread &thread, const Event &event) {
  if (remembers_) return useMade(thread, event);
  if (made_.contains(event.address)) touch(thread, event, callId({event.place, false, false}), 1, kRead);
}

void Detector::atomic(Thread &thread, const Event &event) {
  trace::AccessShape shape = shapes_[event.access];
  ++result_.counts.synchronisations;
  if (shape.form == Form::Unknown) { // taken for what orders most
    ++result_.counts.unknownAccesses;
    shape.form = Form::AtomicUpdate;
  }
  bool counts = (thread.ignored & abi::kIgnoreSync) == 0;
  bool writes = trace::writes(shape.form) && event.succeeded;
  for (Order *order : orders())
    if (counts) order->applyFirst(thread.slot, event, shape.form, shape.bytes);
  if (!remembers_) touch(thread, event, event.access, shape.bytes, kAtomic | (writes ? kWrite : kRead));
  for (Order *order : orders())
    if (counts) order->applySecond(thread.slot, event, shape.form);
}

void Detector::allocate(Thread &thread, const Event &event) {
  if (event.bytes == 0) return;
  if (remembers_) madeObjects_.forget(event.address, event.bytes);
  if (!benign_.empty()) startBenignAnew(event.address, event.bytes);
  if (event.place != 0)
    blocks_[event.address] = {{event.address, event.bytes, event.place, thread.stack.current()}, false};
  if (remembers_ && !touched_) return;
  MemoryAccess access;
  access.address = event.address;
  access.bytes = event.bytes;
  access.operation = Operation::Allocate;
  send(thread, access);
}

void Detector::free(Thread &thread, const Event &event) {
  auto block = blocks_.find(event.address);
  if (block == blocks_.end() || block->second.freed) return;
  MemoryAccess access;
  access.address = event.address;
  access.bytes = block->second.allocation.bytes;
  access.access = callId({event.place, true, true});
  access.touch = kWrite;
  access.operation = Operation::Free;
  if (remembers_ && !touched_) {
    blocks_.erase(block);
  } else {
    if (!doesNotCount(thread, access.address, kWrite)) send(thread, access);
    block->second.freed = true;
    freed_.push_back(event.address);
  }
  for (Order *order : orders()) order->forget(access.address, access.bytes);
  made_.erase(made_.lower_bound(access.address), made_.lower_bound(access.address + access.bytes));
  if (remembers_) freeMade(thread, event, access.bytes);
  result_.locks.forget(access.address, access.bytes);
}

void Detector::benign(Thread &, const Event &event) { benign_[event.address] = event.bytes; }

// The memory is another's now.
void Detector::startBenignAnew(uint64_t address, uint64_t bytes) {
  benign_.erase(benign_.lower_bound(address), benign_.lower_bound(address + bytes));
}

// Below there is no memory: such an access was told, and then it was a fault that the program handles.
static constexpr uint64_t kLowestMemory = 4096;

bool Detector::doesNotCount(const Thread &thread, uint64_t address, uint8_t kind) const {
  if (address < kLowestMemory) return true;
  uint8_t ignores = (kind & kWrite) != 0 ? abi::kIgnoreWrites : abi::kIgnoreReads;
  if ((thread.ignored & ignores) != 0) return true;
  auto after = benign_.upper_bound(address);
  return after != benign_.begin() && address - std::prev(after)->first < std::prev(after)->second;
}

void Detector::touch(Thread &thread, const Event &event, uint32_t id, uint64_t bytes, uint8_t kind) {
  ++result_.counts.accesses;
  if (bytes == 0 || doesNotCount(thread, event.address, kind)) return;
  touched_ = true;
  MemoryAccess access;
  access.address = event.address;
  access.bytes = bytes;
  access.access = id;
  access.touch = kind;
  access.observedOnly = made_.contains(event.address);
  send(thread, access);
}

uint32_t Detector::callId(CallPlace call) {
  auto [found, isNew] = callIds_.try_emplace(call, kCallBit | static_cast<uint32_t>(result_.calls.size()));
  if (isNew) result_.calls.push_back(call);
  return found->second;
}

WhereId Detector::whereOf(Thread &thread) {
  if (!thread.where.valid()) thread.where = result_.places.intern({thread.stack.current(), thread.lockSet});
  return thread.where;
}

const Clock *Detector::copyOf(const Clock &clock, uint64_t version, ClockCopy &copy) {
  if (copy.batch != batch_ || copy.version != version) copy = {&clocks_.emplace_back(clock), batch_, version};
  return copy.clock;
}

void Detector::send(Thread &thread, MemoryAccess access) {
  if (access.address >= kAddressLimit || access.bytes > kAddressLimit - access.address) return; // damage
  access.sequence = sequence_;
  access.slot = thread.slot;
  access.where = whereOf(thread);
  auto copy = [&](const Order &order, ClockCopy &kept) {
    return copyOf(order.clock(thread.slot), order.version(thread.slot), kept);
  };
  const Handover::Overtaken &overtaken = handover_.overtaken(thread.slot);
  access.clock = copy(happensBefore_, thread.happensBefore);
  access.hard = copy(hard_, thread.hard);
  access.handed = copy(handover_.order(), thread.handed);
  access.overtaken = copyOf(overtaken.clock, overtaken.version, thread.overtaken);
  toShards(access);
  if (batchSize_ >= kBatch) flush();
}

void Detector::toShards(const MemoryAccess &access) {
  uint64_t end = access.address + access.bytes;
  uint64_t first = partOf(access.address), last = partOf(end - 1);
  batchSize_ += last - first + 1;
  if (first == last) return shards_[shardOf(first)]->batch.push_back(access);
  if (access.operation != Operation::Access && last - first >= kMaxRoutedParts) {
    for (auto &shard : shards_) shard->batch.push_back(access);
    return;
  }
  for (uint64_t part = first; part <= last; ++part) {
    MemoryAccess piece = access;
    piece.address = std::max(access.address, part * kPartBytes);
    piece.bytes = std::min(end, (part + 1) * kPartBytes) - piece.address;
    shards_[shardOf(part)]->batch.push_back(piece);
  }
}

void Detector::flush() {
  auto run = [&](size_t shard) { shards_[shard]->run(options_.predict); };
  if (pool_) {
    pool_->arena.execute([&] { tbb::parallel_for(size_t(0), kShards, run); });
  } else {
    for (size_t shard = 0; shard != kShards; ++shard) run(shard);
  }
  findObjects();
  for (uint64_t address : freed_)
    if (auto block = blocks_.find(address); block != blocks_.end() && block->second.freed) blocks_.erase(block);
  freed_.clear();
  clocks_.clear();
  batchSize_ = 0;
  ++batch_;
}

void Detector::findObject(uint64_t address) {
  auto after = blocks_.upper_bound(address);
  if (after == blocks_.begin()) return;
  const Allocation &block = std::prev(after)->second.allocation;
  if (address - block.address < block.bytes) result_.objects.try_emplace(address, block);
}

// A block that was freed in this batch is still known.
void Detector::findObjects() {
  for (auto &shard : shards_) {
    for (uint64_t address : shard->happensBefore.races().takeNewAddresses()) findObject(address);
    for (uint64_t address : shard->hybrid.races().takeNewAddresses()) findObject(address);
  }
}

void Detector::collectRaces() {
  RaceTable observed, predicted;
  for (const Race &race : observedPairs_.sorted()) observed.add(race);
  for (const Race &race : predictedPairs_.sorted()) predicted.add(race);
  for (auto &shard : shards_) {
    for (const Race &race : shard->happensBefore.races().sorted()) observed.add(race);
    for (const Race &race : shard->hybrid.races().sorted()) predicted.add(race);
    result_.counts.evictedPages += shard->happensBefore.evicted() + shard->hybrid.evicted();
    result_.counts.forgottenEntries += shard->hybrid.forgotten();
  }
  result_.observed = observed.sorted();
  result_.predicted = predicted.sorted();
}

void Detector::collectDeadlocks() {
  auto waits = [&](const LockEdge &edge) {
    const auto &thread = threads_[edge.thread.value()];
    return thread && thread->wants && thread->wants->lock == edge.wants;
  };
  std::vector<LockCycle> cycles = lockOrder_.cycles();
  std::vector<LockCycle> single = lockOrder_.ofOneThread(cycles);
  for (LockCycle &cycle : cycles) {
    bool happened = std::ranges::all_of(cycle, waits);
    result_.deadlocks.push_back({std::move(cycle), happened});
  }
  for (LockCycle &cycle : single) result_.deadlocks.push_back({.cycle = std::move(cycle), .byOneThread = true});
  result_.counts.lockSearchCut = lockOrder_.searchWasCut();
}

// The tables are where they were: others refer to them.
Detection Detector::soFar() {
  flush();
  Detection kept = result_;
  collectRaces();
  collectDeadlocks();
  return std::exchange(result_, std::move(kept));
}

Detection Detector::finish() {
  flush();
  collectRaces();
  collectDeadlocks();
  result_.counts.droppedStacks = result_.stacks.dropped();
  return std::move(result_);
}

} // namespace deadheat::detect
