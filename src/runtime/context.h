// The one global state of the runtime, and what a thread keeps of it.
//
// The process page is wiped by the kernel in the child of any fork, raw clone included. Its epoch says which process
// and which set of loaded objects the rest belongs to; a thread whose own epoch differs starts anew.
#pragma once

#include "abi/ring.h"
#include "runtime/flags.h"
#include "runtime/system.h"

namespace deadheat::runtime {

// The access slots of one loaded object; size 0: unloaded.
struct Range {
  U64 begin;
  U64 size;
  U32 base; // id of the first slot
};

inline constexpr U32 kMaxRanges = 512;

struct ProcessPage {
  U64 epoch;    // process number << 32 | changes to the ranges; 0: not entered yet
  bool refused; // this process has no rings
};

struct Context {
  abi::Arena *arena;
  ProcessPage *page;
  Flags flags;
  long pid;         // of the process that was entered last: in the child of a fork, its parent's
  U32 rangeVersion; // odd while the ranges change
  U32 rangeCount;
  Range ranges[kMaxRanges];
};

extern Context context;

struct Thread {
  abi::Ring *ring;
  U64 epoch;
  Range range;   // where its last access lay
  U64 busy;      // frame address of the hook that it is in
  U64 stuckTail; // where the reader was, plus one, when this thread gave up waiting for it
  bool plain;    // bodies=flip: what the last decision was
};

extern thread_local Thread thread;

// Gives the process a number and asks whether it can be followed. Any thread may call it, more than once.
void enterProcess();

// Adds a range for an object that was loaded, and forgets those it overlaps. The caller holds the loader's lock.
bool addRange(const Range &range);

} // namespace deadheat::runtime
