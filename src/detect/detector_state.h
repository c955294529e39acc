// What the sequencer knows of a thread, and what a shard is: for detector*.cpp only.
#pragma once

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include "detect/detector.h"

namespace deadheat::detect {

struct Detector::Held {
  HeldLock held;
  uint64_t place;
  SectionCells cells;
};

struct Detector::Thread {
  Thread(trace::ThreadNumber number, Slot slot, StackId root) : number(number), slot(slot), stack(root) {}

  trace::ThreadNumber number;
  Slot slot;
  ThreadStack stack;
  uint8_t ignored = 0;     // abi::kIgnoreReads ...
  std::vector<Held> locks; // in the order of acquisition
  LockSetId lockSet = LockSetId(0);
  WhereId where; // not valid: to be found
  ClockCopy happensBefore, hard, handed, overtaken;
  std::shared_ptr<const Clock> hardShared;
  uint64_t hardSharedVersion = 0;
  std::shared_ptr<const Clock> given; // by what critical sections hand over
  uint64_t givenVersion = 0;
  std::optional<HeldLock> wants; // told, and not got yet
};

struct Detector::Shard {
  Shard(size_t number, const DetectorOptions &options, const Detection &tables)
      : happensBefore(options.maxPages / kShards, number),
        hybrid(options.maxPages / kShards, number, tables.lockSets, tables.places) {}

  void run(bool predict) {
    for (const MemoryAccess &access : batch) {
      happensBefore.apply(access);
      if (predict && !access.observedOnly) hybrid.apply(access);
    }
    batch.clear();
  }

  std::vector<MemoryAccess> batch;
  HappensBefore happensBefore;
  Hybrid hybrid;
};

// As many threads as were asked for, also where the machine has fewer.
struct Detector::Pool {
  explicit Pool(unsigned jobs)
      : control(tbb::global_control::max_allowed_parallelism, jobs), arena(static_cast<int>(jobs)) {}

  tbb::global_control control;
  tbb::task_arena arena;
};

} // namespace deadheat::detect
