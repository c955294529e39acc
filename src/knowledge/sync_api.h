// What the synchronisation functions of libraries do: one table, which link and the runtime read alike.
//
// Claim   A call of the function `name` has the effects that its row says, on every path on which `success` holds. A row
//         stands for the whole function: where the program has a body for the name, the row wins.
// Assumes 64 bits and the System V convention; offsets are those of glibc 2.36, libstdc++ 12 and Linux 6.12.
// Misses  what a function does besides (errno, robust mutexes, cancellation points).
//
// Freestanding: the runtime includes this header. table.h has the lookup for everybody else.
#pragma once

namespace deadheat::knowledge {

// Where a name means what its row says. A program is hosted or a kernel, never both: `mutex_lock` in a hosted program is
// somebody's own function.
enum class Set : unsigned char { Posix, C11, Cxx, OpenMp, Glib, Apr, Uv, OpenSsl, Sdl, Linux, User };

constexpr bool isKernel(Set set) { return set == Set::Linux; }

enum class Action : unsigned char {
#define ACTION(name, sentence) name,
#include "knowledge/actions.def"
};

enum class Kind : unsigned char {
  None,
  Mutex,
  Recursive, // a mutex that its holder may take again
  Spin,      // waits without sleeping; its holder may not sleep
  ReadWrite,
  SpinReadWrite,
  Semaphore,
  Condition,
  Barrier,
  Once,  // an initialisation that happens once
  Event, // completions, futexes, wait queues
  Sequence,
  BottomHalves, // of InterruptsOff: software interrupts only
  Preemption,   // of InterruptsOff: other threads only
};

enum class Mode : unsigned char { Exclusive, Shared, Either };

// The result that tells success. A result that nobody tests means success, unless the row has kTry.
enum class Success : unsigned char { Always, Zero, NonZero, MinusOne };

// What a spawned function runs as.
enum class Context : unsigned char { Thread, Work, Timer, SoftInterrupt, Interrupt };

// How argument `entry` leads to the function.
enum class Entry : unsigned char {
  Pointer,  // it is its address
  Member,   // it points to an object that has the address at byte `offset`; the function gets the object
  Virtual,  // it points to a pointer to an object whose vtable has the function at byte `offset`; it gets the object
  Variable, // none: the thread-local variable `through` has the address
};

inline constexpr signed char kNone = -1;
inline constexpr signed char kResult = -2; // the value that the function returns

inline constexpr unsigned short kTry = 1;           // fails rather than waits: an untested result means nothing
inline constexpr unsigned short kTimed = 2;         // gives up at a time
inline constexpr unsigned short kInterruptsOff = 4; // and keeps interrupts off until the release
inline constexpr unsigned short kInterruptsOn = 8;  // and puts them on again
inline constexpr unsigned short kByAddress = 16;    // `object` points to the handle; else it is the handle
inline constexpr unsigned short kOutParameter = 32; // `object` points to where the block's address is stored
inline constexpr unsigned short kInside = 64; // `lock` or `object` points to a pointer to the lock (std::unique_lock)
inline constexpr unsigned short kEveryArgument = 128; // done to `object` and to all arguments after it
inline constexpr unsigned short kJoins = 256;         // a Spawn that returns when what it started has ended
inline constexpr unsigned short kMany = 512;          // a Spawn of several instances
inline constexpr unsigned short kRest = 1024;         // the arguments after `argument` follow it to the entry
inline constexpr unsigned short kBottomOff = 2048;    // as kInterruptsOff, of software interrupts
inline constexpr unsigned short kBottomOn = 4096;
inline constexpr unsigned short kJob =
    8192; // a Spawn of what one of several threads calls later on; `name` says by which member

struct Row {
  const char *name = nullptr; // as the linker knows it
  bool prefix = false;        // stands for all names that begin so
  Set set = Set::User;
  Action action = Action::Blocks;
  const char *ending = "";    // of a prefix: stands for those that end so, too (a member of a template)
  signed char object = kNone; // argument, from 0; or kResult
  Kind kind = Kind::None;
  Mode mode = Mode::Exclusive;
  Success success = Success::Always;
  short failure = 0;        // of kTry: the result where another thread has it; 0: not known, or any other
  signed char lock = kNone; // of a ConditionWait: argument
  Context context = Context::Thread;
  signed char entry = kNone; // argument
  Entry entryIs = Entry::Pointer;
  unsigned char offset = 0;        // bytes, of a Member or Virtual entry; kInside: where it says that the lock is held
  unsigned char within = 0;        // bytes, of a Fulfil: where in the object it is posted
  const char *through = nullptr;   // of a Variable entry; of a Member entry: the member, where it has one name
  signed char secondEntry = kNone; // argument: another function, with the same argument
  signed char argument = kNone;    // argument that the entry gets, that chooses a kind, or that a semaphore begins with
  unsigned char parameter = 0;     // the parameter of the entry that gets it
  unsigned short flags = 0;

  constexpr bool has(unsigned short flag) const { return (flags & flag) != 0; }
};

namespace rows {
using enum Kind;
using enum Mode;
using enum Success;
using enum Context;

inline constexpr short kBusy = 16;      // EBUSY
inline constexpr short kTimedOut = 110; // ETIMEDOUT

inline constexpr char kWorkFunction[] = "struct work_struct.func";
inline constexpr char kThreadWorkFunction[] = "struct kthread_work.func";
inline constexpr char kTimerFunction[] = "struct timer_list.function";
inline constexpr char kHighResolutionFunction[] = "struct hrtimer.function";
inline constexpr char kTaskletFunction[] = "struct tasklet_struct.func";
inline constexpr char kIrqWorkFunction[] = "struct irq_work.func";
inline constexpr char kHotplugFunction[] = "struct smp_hotplug_thread.thread_fn";

inline constexpr Row kRows[] = {
#define API(set_, name_, action_, ...)                                                                                 \
  {.name = #name_, .set = Set::set_, .action = Action::action_ __VA_OPT__(, ) __VA_ARGS__},
#define API_PREFIX(set_, name_, action_, ...)                                                                          \
  {.name = #name_, .prefix = true, .set = Set::set_, .action = Action::action_ __VA_OPT__(, ) __VA_ARGS__},
#include "knowledge/sync_api.def"
};
} // namespace rows

using rows::kRows;

} // namespace deadheat::knowledge
