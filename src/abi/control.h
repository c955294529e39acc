// What the controller (`deadheat confirm`, `replay`) and the one process that it directs share: a file mapped by both.
// The controller writes the first part before it starts the program; the scheduler in the program writes the second, and
// whatever kills the program leaves what was written.
//
// A schedule is a list of decisions by number of the point at which they were taken. At a point without one the thread that ran
// goes on, or else the ready one with the lowest number (usual() in runtime/schedule/strategy.h has it all): so a schedule lists what is
// unusual about a run, and no more.
#pragma once

#include "abi/types.h"

namespace deadheat::abi {

inline constexpr U64 kControlMagic = 0x4c4f52544e434844; // "DHCNTROL"
inline constexpr U32 kControlVersion = 8;
inline constexpr U32 kMaxTargets = 1 << 14;
inline constexpr U32 kMaxDecisions = 1 << 16;
inline constexpr U32 kMaxTasks = 1024;
inline constexpr U32 kMaxHits = 64;
inline constexpr U32 kMaxControlObjects = 64;

enum class StrategyId : U32 { Racefuzzer, Random, Pct, Replay, Deadlock, Follow };

// Which of the two sides of a pair a target is; an access that races with itself is both. Of a circle of locks: the outer
// acquisitions are first sides, the inner ones second sides. A target that is only watched is counted when it is executed, no more.
inline constexpr U8 kFirstSide = 1;
inline constexpr U8 kSecondSide = 2;
inline constexpr U8 kWatched = 4;

// An access of the unit whose model has this checksum, or, where `late` is kNoLate, the calls that return to an address between
// `begin` and `end`, link-time addresses of the object that has the unit; `depth` callers above the one of the locking function. Calls of
// the library that read or write memory, where `memory` says so; acquisitions of locks else.
inline constexpr U32 kNoLate = ~U32(0);
inline constexpr U32 kNoFunction = ~U32(0); // unknown: all functions run instrumented
struct Target {
  U64 checksum = 0;
  U64 begin = 0;
  U64 end = 0;
  U32 late = 0;
  U32 size = 0;
  U8 side = 0;
  U8 isWrite = 0;
  U8 depth = 0;
  U8 memory = 0;
  U8 reserved[4] = {};
  U32 function = kNoFunction; // slot of the function that the access was compiled into: its instrumented body runs
  U32 padding = 0;
};

// How often a target was executed, by whom, and where: addresses as the bits of their hashes, so that sets without a common
// bit have no common address.
inline constexpr U32 kAddressWords = 4;
struct AddressBits {
  U64 words[kAddressWords];
};
struct TargetCount {
  U32 count;
  U32 task; // the first that did
  U32 many; // 1: others, too
  U32 reserved;
  AddressBits first;  // by that task
  AddressBits others; // by others
};

// An acquisition of a lock: where it returns to, and its callers as far as they are known.
inline constexpr U32 kMaxCalls = 4096;
inline constexpr U32 kCallDepth = 4;
inline constexpr U32 kKeepLocks = 1, kKeepMemory = 2;
struct SeenCall {
  U64 places[kCallDepth];
};

// A call of the library that reads or writes memory: where it returns to, and which of both.
inline constexpr U32 kMaxMemoryCalls = 8192;
inline constexpr U8 kReads = 1;
inline constexpr U8 kWrites = 2;
struct SeenMemoryCall {
  U64 place;
  U64 does;
};

enum class Action : U8 {
#define ACTION(name, text) name,
#include "abi/actions.def"
};

enum class DecisionKind : U8 {
  Run,     // the task goes on
  Return,  // the task came back from a call that the scheduler does not model
  Timeout, // nobody came back in time: the clock moved on to the task's deadline
};

// A place is a return address, or one of the targets.
inline constexpr U64 kTargetPlace = U64(1) << 63;
inline constexpr bool isTargetPlace(U64 place) { return (place & kTargetPlace) != 0; }
inline constexpr U32 placeTarget(U64 place) { return static_cast<U32>(place & 0xffffffff); }

struct Decision {
  U64 point;
  U32 task;
  DecisionKind kind;
  Action action; // what the task was about to do
  U8 reserved[2];
  U64 place;
  U32 from;     // who had run until then
  U32 ownPoint; // which of its own points that was: what others do hardly changes it
};

// The turn went from one task to another: where the first stood, and what the next goes on with.
struct Switch {
  U64 point;
  U32 from;
  U32 to;
  Action fromAction;
  Action toAction;
  U8 reserved[6];
  U64 fromPlace;
  U64 toPlace;
};
inline constexpr U32 kMaxSwitches = 1 << 12;
inline constexpr U32 kSwitchesAfterHit = kMaxSwitches / 2;

// A task as the others saw it last.
enum class TaskState : U8 { Free, Ready, Running, Blocked, Outside, Back, Done };
struct TaskView {
  TaskState state;
  Action action;
  U8 side;    // of the target that it stands before
  U8 inCycle; // of a deadlock: one of those that wait for each other
  U32 holder; // of a task that waits for a lock: who has it; 0: nobody known
  U64 object;
  U64 place;
  U64 creation; // return address of the call that created it
};

struct Contender {
  U32 task;
  U32 size;
  U64 place;
  U64 address;
  U64 write;
};

// Two threads stood right before both accesses of one address.
struct Hit {
  U64 point;
  Contender arrived;
  Contender waiting;
  U32 first; // the task that was let go first
  U32 reserved;
};

// What became of the two sides where different tasks executed them on one address: whether the later one had heard of the
// earlier one, by a chain of synchronisation, and the last link of the first such chain.
struct Order {
  U64 met;
  U64 ordered;
  U32 earlier; // tasks
  U32 later;
  Action action; // by which the later one heard of it
  U8 reserved[7];
  U64 object;
  U64 place;
};

struct ControlObject {
  U64 bias;
  U64 begin;
  U64 end;
  char path[1000];
};

struct Control {
  U64 magic;
  U32 version;
  StrategyId strategy;
  U64 seed;
  U64 epoch;     // what the program's clocks show at its start, nanoseconds; 0: the real time
  U64 stepLimit; // hooks after which a thread that meets no synchronisation is taken to spin
  U32 depth;     // of pct
  U32 expectedPoints;
  U32 targetCount;
  U32 givenCount;
  U32 resolve;    // 0: at random; 1: the first side goes first; 2: the second
  U32 stopBefore; // 1: stop (SIGSTOP) at the first hit, for a debugger
  U32 keepCalls;  // list: 1, the acquisitions of locks; 2, calls that read or write memory; 3, both
  U32 calm; // 0: any task is chosen; n: the one that runs goes on, but for one time in n (~0: always), unless it is held back
  U32 hasty;        // 1: those that are held back do not wait for who sleeps
  U32 processor;    // 1 + the one to stay on: threads that take turns wake each other there at half the cost; 0: any
  U32 patient;      // 1: those that are held back wait longer for who goes round in a loop
  U32 lax;          // 1: one in two that come to a target is not held back there
  U32 childThreads; // that children of the directed process started: they run free

  // Of a thread's own time without a step, after which it is taken to spin: from an earlier run, and as it was learned in this one; 0: none was.
  U64 spinNanoseconds;

  U64 owner;       // pid of the process that is directed
  U64 fixedLayout; // 1: its addresses are the same in every run
  U64 points;
  U64 steps;
  U64 recorded;    // may exceed kMaxDecisions: the rest was not kept
  U64 hits;        // may exceed kMaxHits
  U64 reached[2];  // executions of each side
  U32 sideTask[2]; // who executed it first
  U32 sideMany[2]; // 1: others, too
  U64 strayed;     // decisions of a replayed schedule that could not be taken
  U32 deadlock;    // 1: tasks wait for each other, or all that are left wait
  U32 taskCount;
  U32 objectCount;
  U32 refused; // tasks beyond kMaxTasks ran free
  U64 virtualNanoseconds;
  U64 heldNanoseconds; // of these, what passed while all that could run were held back
  U64 switches;        // beyond kMaxSwitches the oldest makes room, until some time after the first hit
  Order order;
  U64 callCount;

  Target targets[kMaxTargets];
  TargetCount targetCounts[kMaxTargets];
  Hit hitList[kMaxHits];
  ControlObject objects[kMaxControlObjects];
  TaskView tasks[kMaxTasks];
  Switch switchList[kMaxSwitches];
  SeenCall calls[kMaxCalls];
  SeenMemoryCall memoryCalls[kMaxMemoryCalls]; // by hash of the place
  Decision given[kMaxDecisions];
  Decision decisions[kMaxDecisions];
};

} // namespace deadheat::abi
