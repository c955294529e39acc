// Which threads the program may have, what each executes, and which may run at the same time.
//
// Claim   Every function that a thread of the program may execute lists that thread. Two accesses for which mayRunTogether
//         is false never happen at the same time: one thread has not been started yet, or has been joined.
// Assumes a loop that joins handles of an array joins all threads whose handles that array got; threads that code without
//         a model starts are its own affair; a program without `main` is called from outside at every function that is
//         visible and that nothing calls, by many threads.
// Cost    linear in calls and statements of functions that start or join threads; quadratic in threads. Beyond 1024 threads
//         all of them are taken to be live everywhere.
// Misses  order by anything but start and join (that is the engines' part): barriers, queues, flags.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "knowledge/sync_api.h"
#include "link/call_graph.h"
#include "link/ids.h"
#include "link/once.h"
#include "link/points_to.h"

namespace deadheat::link {

enum class ThreadKind : uint8_t { Main, Spawned, Signal, Interrupt, Outside };

// Why there may be more than one instance.
enum class ManyWhy : uint8_t { One, Loop, Itself, CalledTwice, CalledOften, CreatorMany, Recursive, Several, Outside };

// It runs beside itself, rather than that nothing is known to keep it from doing so.
constexpr bool showsTwo(ManyWhy why) {
  return why == ManyWhy::Loop || why == ManyWhy::Itself || why == ManyWhy::CalledTwice || why == ManyWhy::Outside;
}

// Why an argument is another one for each instance.
enum class DistinctWhy : uint8_t { Not, OneInstance, Indexed, Allocated, Numbered };

struct Thread {
  ThreadKind kind = ThreadKind::Spawned;
  knowledge::Context context = knowledge::Context::Thread;
  std::vector<FuncId> entries = {}; // Main: constructors of globals, main, what runs at exit, in that order; else one
  CallSiteId createdAt = {};        // invalid: Main, Outside
  std::vector<ThreadId> creators = {}; // who may execute createdAt
  bool many = false;                   // at the same time
  bool inTurn = false;                 // several, one after the other (in_turn.h)
  ManyWhy manyWhy = ManyWhy::One;
  bool detached = false;
  Location argument = {}; // what the entry's first parameter points to at the creation
  std::optional<model::Operand> chosen =
      {}; // of a function that the library's code is given to call (chosen_entries.h): what its first parameter gets, in the creator; none: not known
  DistinctWhy distinct = DistinctWhy::Not;
  DistinctWhy withinCall = DistinctWhy::Not; // the same, among those that one call of its creator starts
  bool ownPointers = false;           // what its argument holds pointers to is another one for each instance, too
  std::optional<int64_t> number = {}; // its argument, if that is one
  std::vector<int64_t> numbers = {};  // bytes of its argument that likely hold another number for each instance; sorted
  std::vector<ObjectId> elements =
      {}; // each instance gets a pointer to another element of them, likely, and to no other; sorted
  std::vector<CallSiteId> usersStarts = {}; // of what the library starts: where the user's code asks for it
  std::vector<ThreadId> hosts = {};         // of a job that a pool's threads call: those; it ends with the last of them
};

// All that is there is one of `elements`.
bool isElementOf(const Thread &thread, const PointsTo &pointsTo, Location where);

// A line of --explain.
struct ThreadFact {
  ThreadId thread;
  std::string text;
};

// Which threads a thread may have started, itself or through others, and not joined.
struct LiveThreads {
  // At a statement; sorted.
  std::vector<ThreadId> liveAt(FuncId function, model::StatementId statement) const;
  // At a statement of a function that was entered with `live`.
  std::vector<ThreadId> liveAt(FuncId function, model::StatementId statement, const std::vector<ThreadId> &live) const;

  // From `statement` on, up to the next row: live are those at the function's entry without `joined`, and `started`.
  struct Change {
    model::StatementId statement;
    uint32_t joined = 0; // of `sets`
    uint32_t started = 0;
  };
  Lists<FuncId, Change> changes;     // by statement; only of functions that start or join threads: a row for each block
  std::vector<uint32_t> liveAtEntry; // [function], of `sets`
  std::vector<std::vector<ThreadId>> sets; // sorted
};

struct Threads : LiveThreads {
  IdTable<ThreadId, Thread> list;          // Main is the first, if there is one
  SharedLists<FuncId, ThreadId> executing; // [function]: who may execute it; sorted

  // Who is live if a way around a join is taken only when there is nothing to join: likely, not certain. A way around
  // leads from a branch to where all its ways meet, and starts none of those threads. Calls through pointers of many
  // targets are left out, as far as their targets are called in other ways. Empty: the program starts no threads.
  LiveThreads likely;

  // Two threads at all; one with itself: two instances.
  bool mayRunTogether(ThreadId first, ThreadId second) const {
    return together[first.value() * list.size() + second.value()];
  }

  // A thread at a statement of a function that it executes.
  struct Point {
    ThreadId thread;
    FuncId function;
    model::StatementId statement;
  };
  bool mayRunTogether(const Point &first, const Point &second) const;

  // Everybody who starts the thread does so in what runs once, and the statement comes before that, in there.
  bool isStartedLater(ThreadId thread, FuncId function, model::StatementId statement) const;

  // Every instance of `second` is started, itself or through others, by the one instance of `first`.
  bool startedBy(ThreadId second, ThreadId first) const {
    return descendant[first.value() * list.size() + second.value()];
  }

  // Nobody else executes it.
  bool isMains(FuncId function) const {
    auto who = executing[function];
    return who.size() == 1 && list[who[0]].kind == ThreadKind::Main;
  }

  std::vector<bool> together;        // [first * count + second]
  std::vector<bool> descendant;      // [first * count + second]: see startedBy
  std::vector<CallSiteId> idleJoins; // they end nobody that their call of the function has started; sorted
  Once once;
  std::vector<FuncId> startedIn; // [thread]: what runs once, in which alone it is started; invalid: it is not

private:
  bool mayBeLive(ThreadId other, const Point &point) const;
};

} // namespace deadheat::link
