// The one global state of the runtime, and what a thread keeps of it.
//
// The process page is wiped by the kernel in the child of any fork, raw clone included. Its epoch says which process
// and which set of loaded objects the rest belongs to; a thread whose own epoch differs starts anew.
#pragma once

#include "abi/cells.h"
#include "abi/event.h"
#include "abi/flags.h"
#include "abi/known.h"
#include "abi/ring.h"
#include "abi/sync_clocks.h"
#include "runtime/system.h"

namespace deadheat::runtime {

// Slots of one loaded object; size 0: unloaded.
struct Range {
  U64 begin;
  U64 size;
  U32 base; // id of the first slot

  bool has(U64 slot) const { return slot - begin < size; }
  U32 idOf(U64 slot) const { return base + static_cast<U32>(slot - begin); }
};

struct LoadedObject {
  Range accesses;
  Range functions;
  U64 bias; // what its link-time addresses lack
};

inline constexpr U32 kMaxLoaded = 512;

// One of the counters that order events between threads, and the lock that an atomic operation holds while it happens and
// is stamped. On a cache line of its own.
struct alignas(64) Counter {
  U64 stamp;
  U64 loads;  // stamps that were taken by atomic loads; changed in the section
  U32 holder; // number of the thread; 0: free
  U32 depth;  // how often its handlers entered it again
  U64 renewed; // blocks that were told made where something had been told, in heaps with this counter (interpose/memory.cpp)
};

inline constexpr U32 kTellerBits = 16;
// A number by which cells of the shadow name a thread (abi/shadow.h). Threads that follow each other may have the same one:
// their pieces do not overlap.
struct Owner {
  U32 thread; // that has it now; 0: none
  U32 next;   // piece
};

// Pieces that cells name by the same block (abi/cells.h).
struct Block {
  U32 thread; // that has them; 0: none
  U32 owner;
  U32 base;     // the first of them
  U32 when;     // they were taken, among all
  U32 isClosed; // the thread has gone on to others
};

// What is before whoever joins the thread, which has ended.
struct EndedThread {
  U32 thread;
  U32 owner;
  U32 piece; // its last
};

inline constexpr U32 kEndedThreads = 1024;

// What holds all large ranges that were told (touched.h); both 0: none was.
struct TouchedRange {
  U64 low;
  U64 high;
};

inline constexpr U64 kUnmappedBits = 1 << 14;

struct ProcessPage {
  U64 epoch;    // process number << 32 | changes to the objects; 0: not entered yet
  U32 threads;  // numbers given so far
  bool refused; // this process has no rings
  Counter counters[abi::kStampCounters];
  U32 commonBursts;                  // begun so far (common_bursts.h)
  U32 commonLength;                  // of the last one, of each thread
  U64 elapsed;                       // time of threads, by what could have been told in it
  U64 commonWork;                    // of all threads in such bursts, done or about to be
  U64 lastTellers[1 << kTellerBits]; // signals so far, of the objects that share an entry (repeats.h)
  TouchedRange large;
  U64 unmapped[kUnmappedBits / 64]; // parts of the address space that were given back (interpose/memory.cpp)
  Owner owners[abi::kOwners];
  Block blocks[abi::kBlocks];
  U32 blocksTaken;
  U32 blocksUsed;                   // of which are not free again
  U32 isSweeping;                   // who frees some (blocks.h)
  EndedThread ended[kEndedThreads]; // by number, as far as it goes
  abi::KnownTable known;
  abi::SyncClocks clocks; // where accesses are remembered (ordered.h)
};

// All zero at the beginning. Global ones are changed by several threads at once: a lost count is a call more or less.
struct SampleState {
  U32 pause;      // calls to pass over
  U32 taken : 22; // of this burst; 0 in a pause
  U32 isLong : 1; // an access was executed very often in one of its calls
  U32 level : 9;
  U32 call; // of an access: which one it is in
  U32 work; // of a function: that its calls made in this burst (common_bursts.h); of an access: executions while it was lone (meetings.h)
};
static_assert(sizeof(SampleState) == 16);

struct Memory;

// The same number four times, to be compared with four cells at once. Filled by halves: most of the runtime may use general registers only.
union alignas(16) Lanes {
  abi::I32 lanes[abi::kCells];
  U64 halves[2];
};

struct Context {
  abi::Arena *arena; // null: not attached, and every interposed function passes through
  ProcessPage *page;
  abi::Flags flags;
  long pid;           // of the process that was entered last: in the child of a fork, its parent's
  U32 objectsVersion; // odd while the objects change
  U32 objectCount;
  LoadedObject objects[kMaxLoaded];
  U64 *touched;        // lines of memory, a bit each (touched.h); null: all
  U8 *meetings;        // meeting_table.h; null: not wanted
  bool leavesOut;      // synchronisation that brings nothing (repeats.h)
  U64 shadow;          // where the cells of address 0 lie; 0: accesses are told one by one
  SampleState *shared; // of the samplers that are global, by function id; null: not wanted
};

extern Context context;

// A call that runs told. Told lazily, with the first event that is written while it lasts.
struct Frame {
  U64 slot;    // address of the return address
  U64 returns; // the return address
  U32 function;
  U32 context; // its number, if accesses are remembered; else that of the call
};

inline constexpr U32 kMaxFrames = 128; // deeper calls are not told
inline constexpr U32 kFilterBits = 14;

// An atomic load that a thread told.
struct LoadEntry {
  U64 object;
  U64 version; // what else had happened on its counter
  U32 access;
  U32 clock;
};

inline constexpr U32 kLoadEntries = 64;
inline constexpr U32 kCallBits = 10;

// Why a call is told: it is one of the first of its function in the thread, or one that is steered to; its turn has come again; or that of all (common_bursts.h).
enum class Burst : U8 { Whole, Later, Common };

// What a thread told last of the objects that share an entry (repeats.h).
struct LastTold {
  U64 object;
  U64 seen;  // signals on objects of that entry when the thread last took them all (lastTellers)
  U64 given; // the thread's news when it last signalled
};

inline constexpr U32 kLastToldBits = 12;
inline constexpr U32 kNestingBits = 12;

// A lock that is held and was not told.
struct PutOff {
  U64 payload;
  U64 object;
  U64 returns;
};

inline constexpr U32 kMostPutOff = 8;

// An object that a thread looked for, as it was in that epoch.
struct FoundObject {
  U64 epoch; // 0: none
  LoadedObject object;
};

inline constexpr U32 kFoundBits = 5;

// A signal that came while its thread wrote an event, and comes again when that is written.
struct DeferredSignal {
  U32 number;
  alignas(8) U8 info[128]; // the kernel's siginfo_t
};

inline constexpr U32 kMaxDeferred = 8;

// A thread's own memory, apart from the user's.
struct Private {
  Frame frames[kMaxFrames];
  U8 samplers[kMaxFrames];      // that would have taken the frame, in a comparison
  Burst bursts[kMaxFrames];     // in which the frame was taken
  U32 filter[1 << kFilterBits]; // filter.h
  LoadEntry loads[kLoadEntries];
  SampleState calls[1 << kCallBits]; // of library functions, by place
  LastTold lastTold[1 << kLastToldBits];
  abi::Knower knower;
  U64 renewed[abi::kStampCounters]; // by counter: blocks that were renewed before a stamp which the thread told there
  U64 nestings[1 << kNestingBits];  // ways to take a lock under others that were told
  PutOff putOff[kMostPutOff];
  FoundObject found[1 << kFoundBits];
  DeferredSignal deferred[kMaxDeferred];
};

// What the thread asked to be left out, and how often (interpose/annotations.cpp).
struct Ignored {
  U32 reads;
  U32 writes;
  U32 sync;
  U32 inLock; // parts of a lock's own code; a part that is diverted has none
};

struct Thread {
  abi::Ring *ring;
  U64 epoch;
  U64 next;  // words reserved so far
  U64 limit; // reserved words up to here have room
  U64 busy;  // frame address of the outermost hook or interposer that is writing
  Private *own;
  SampleState *samples; // two per function id: calls and back edges
  U64 sampleCount;
  U32 *
      pauses; // likewise: calls to pass over, of the samplers that count for each thread; close together, as every call looks at one
  U64 pauseCount;
  U32 *near;          // of the first of `functions`
  SampleState *sites; // one per access id: executions in a told call
  U64 siteCount;
  SampleState *nearSites; // of the first of `accesses`
  U64 *nearWord;          // of the executable's code, where that was asked for (abi/near.h)
  Memory *memory;         // what goes with the shadow; null: accesses are told one by one
  Lanes coverLow;         // the least cell that may stand for an access of now, four times (shadow.h)
  Lanes coverSpan;        // from there to the greatest
  Lanes ownLow;           // likewise of its own that lie together: most
  Lanes ownSpan;
  abi::Cell pieceCell; // the present piece, without a deed
  U64 passedOver;      // executions of accesses in told calls
  U64 passedBefore;    // of which before the last one that was told
  U64 call;            // which told call it is in, or was in last
  U32 calls;           // told so far
  Range accesses;      // where its last access lay
  Range functions;     // where its last call lay
  U64 populated;       // words of the ring that have pages
  U64 news;        // changes with all that is told but what the thread lets go: what others may have to learn from it
  U64 held;        // sum over the locks that it holds
  U64 learnt;      // states that it learnt (known.h)
  U32 window;      // upper bits of the access id told last
  U32 commonBurst; // that it took part in last
  U32 clock;       // changes with each release: what was told before may have to be told again
  U32 number;      // within the process; 0: has none yet
  U32 depth;       // frames
  U32 toldDepth;   // of which were told
  U32 resolved;    // frames with known contexts (frames.h); more than `depth` where calls have returned
  U32 random;
  U32 sections;     // of atomic operations that it is in
  U32 deferred;     // signals
  U32 putOff;       // locks
  U32 toldSamplers; // in a comparison: those of what was told last
  U64 spanBegan;    // of told code, by the processor's clock (cost.h)
  U64 executed;     // likewise: accesses
  U64 lastCounted;  // by the clock of common_bursts.cpp: when its time was added to the process'
  U64 lastCold;     // by the time of the process: when it last was in a cold call
  U64 startsFrom;   // the library makes a thread for the code there; 0: it does not (threads.cpp)
  Ignored ignored;
  bool pieceEnded; // the next access begins another
  bool inLibrary;  // libc makes a thread or unloads a library for it, and frees what was others' in an order of its own
  bool ended;      // told its End: what comes after is libc's
  bool flipped;    // sampler=flip: what the last decision was

  // Of common bursts (common_bursts.h).
  U32 *noPauses; // as `pauses`, all over: what calls look at meanwhile
  U64 noPauseCount;
  Range nearFunctions; // those that nearWord speaks of
  long commonLeft;     // work until it leaves the burst
  bool together;       // it takes part in one
};

extern constinit thread_local Thread thread;

// Gives the process a number and asks whether it can be followed. Any thread may call it, more than once.
void enterProcess();

} // namespace deadheat::runtime
