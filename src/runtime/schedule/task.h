// A thread of the program as the scheduler sees it, and what it is about to do.
#pragma once

#include "abi/control.h"
#include "runtime/system.h"

namespace deadheat::runtime::schedule {

using abi::Action;
using abi::TaskState;

struct Operation {
  Action action = Action::Start;
  bool isWrite = false;
  abi::U8 side = 0; // of the pair; 0: no target
  U32 size = 0;
  U64 object = 0; // address of the memory or of the lock
  U64 place = 0;  // as in abi::Decision
};

inline constexpr U64 kNever = ~U64(0);

struct Task {
  U32 number = 0; // from 1, in order of creation
  TaskState state = TaskState::Free;
  Operation next;
  U64 awaited = 0;          // what a blocked task waits for
  U64 deadline = kNever;    // virtual nanoseconds
  U64 since = 0;            // point at which it was blocked: first come, first served
  bool timedOut = false;    // why it is no longer blocked
  bool postponed = false;   // held back before a target
  bool released = false;    // goes on past its target: its race was decided
  bool spins = false;       // ran into the step limit: others first
  U64 spinsSince = 0;       // point at which that was seen
  U64 ranSince = 0;         // point at which the turn came to it
  bool decides = false;     // was woken to decide, not to run
  U32 priority = 0;         // of pct
  U32 holds = 0;            // locks, about
  U32 points = 0;           // decisions taken while it was the last that ran
  U32 fellAt = 0;           // how many these were when it last fell below all others
  U32 repeats = 0;          // how often it came to the same atomic variable in a row, with nothing changed
  U64 value = 0;            // what was there, and around it, the last time
  U32 ride = 0;             // so many more looks at it need no decision, while nothing changes
  U64 heldSince = 0;        // point at which it was postponed
  U32 longHolds = 0;        // how often that was in vain
  U64 slept = 0;            // nanoseconds that passed for the program in a call that gave up; taken up when it is back
  U32 inVain = 0;           // how often others waited for it since it went outside
  bool forced = false;      // outside because it was found to wait without telling
  bool spinsUntold = false; // in a loop; else in a call that we do not know
  U64 forcedAt = 0;         // its own time then
  U32 thread = 0;           // the kernel's number
  bool (*peek)(U64 object) =
      nullptr;   // whether what a blocked task waits for is there; null: nobody but a task can bring it
  U64 steps = 0; // hooks since it was chosen
  U32 turn = 0;  // futex: 1 when it may go on
};

inline bool overlap(const Operation &a, const Operation &b) {
  return a.object < b.object + b.size && b.object < a.object + a.size;
}

// Both about to execute opposite sides of the pair, on one address, one of them writing.
inline bool inRace(const Operation &a, const Operation &b) {
  const bool opposite = ((a.side & abi::kFirstSide) && (b.side & abi::kSecondSide)) ||
                        ((a.side & abi::kSecondSide) && (b.side & abi::kFirstSide));
  const bool atomic = a.action == Action::Atomic && b.action == Action::Atomic;
  return opposite && !atomic && (a.isWrite || b.isWrite) && overlap(a, b);
}

} // namespace deadheat::runtime::schedule
