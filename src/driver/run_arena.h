// The reading end of the shared arena (abi/ring.h): made for one run, drained while the programs run.
//
// Claim   Everything that the followed processes published is handed to the sink and counted, also of those that were
//         killed. Nothing that they write can make the reader fail. No file is left behind, however this process ends.
// Assumes it is the only reader, and that a thread id that the kernel does not know belongs to no owner of a ring.
// Cost    A pass looks at one word per ring, and asks the kernel about the owners every few milliseconds. A word is
//         copied once, so that its thread can go on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "llvm/ADT/DenseMap.h"

#include "abi/ring.h"
#include "driver/access_counts.h"
#include "support/error.h"
#include "trace/sink.h"

namespace deadheat::driver {

// A file with instrumented code that some process ran.
struct RunObject {
  std::string path;
  abi::FileIdentity file = {};
  uint32_t base = 0; // id of its first slot
  uint32_t slotCount = 0;
  uint32_t functionBase = 0;
  uint32_t functionCount = 0;
};

struct RunThread {
  uint32_t process = 0; // number of the process, in the order in which they attached
  uint32_t number = 0;  // within the process
  uint32_t pid = 0;
  uint32_t tid = 0;
  uint64_t ticket = 0;
  std::vector<AccessCount> accesses; // by id
};

// What went uncounted, and why.
struct RunLosses {
  uint64_t signalEvents = 0; // of handlers that interrupted a hook and found no room
  uint64_t damagedRings = 0;
  uint64_t refusedThreads = 0;
  uint64_t refusedObjects = 0;
  uint64_t refusedProcesses = 0;
  uint64_t otherVersions = 0;
  uint64_t stillRunning = 0; // threads
  uint64_t leftBehind = 0;   // processes that go on after the command
};

// Cycles of the processor's clock, where the runtime counts them.
struct RingCosts {
  uint64_t told = 0;
  uint64_t synchronisation = 0;
};

struct Recording {
  uint32_t processes = 0;
  uint64_t words = 0;             // 8 bytes each
  std::vector<RunThread> threads; // in the order in which they began
  RunLosses losses;
};

class RunArena {
public:
  // In memory without a name where the kernel has that, else in $TMPDIR or /tmp. The sink must live as long.
  static Expected<RunArena> create(trace::EventSink &sink);

  RunArena(RunArena &&other) noexcept;
  RunArena &operator=(RunArena &&) = delete;
  ~RunArena();

  // How another process opens it, as long as this one lives.
  const std::string &path() const { return path_; }

  // One pass; how many words the ring had that was fullest.
  size_t drain();

  // Gives the rings of threads that have gone back to others.
  void reclaim();

  // Of all threads so far, and of the processes that have rings: seconds of CPU.
  RingCosts spent() const;
  double programSeconds();

  // Of the samplers' pauses, in sixteenths; abi::kNothingTaken: all pause.
  void stretch(uint32_t sixteenths) { abi::storeRelaxed(arena_->header.stretch, sixteenths); }

  // Objects that were entered since the last call.
  std::vector<RunObject> newObjects();

  // Stops all that is still running from writing, and returns everything.
  Recording finish();

private:
  struct RingState {
    AccessCounts counts;
    bool damaged = false;
  };

  RunArena(std::string path, int file, abi::Arena *arena, trace::EventSink &sink);
  size_t drainOne(uint32_t index);
  bool isReady(uint32_t index) const;
  void retire(uint32_t index);
  void tellTallies(const abi::Ring &ring);
  llvm::DenseMap<uint64_t, uint64_t> latestTickets() const; // by owner

  std::string path_;
  int file_;
  abi::Arena *arena_;
  trace::EventSink *sink_;
  std::vector<RingState> states_;
  std::vector<uint64_t> chunk_;
  uint32_t used_ = 0; // rings beyond were never seen with an owner
  uint32_t objectsSeen_ = 0;
  std::vector<uint32_t> lateObjects_; // passed by while they were being entered
  Recording recording_;
  RingCosts retired_;                        // of threads that have gone
  llvm::DenseMap<uint32_t, double> seconds_; // by process id
};

} // namespace deadheat::driver
