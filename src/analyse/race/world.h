// All accesses of all threads, under names that mean the same everywhere.
//
// Claim   Every guarded access that a thread may do is here once per function that settled it, with the threads that may
//         do it and, for each, locks that are held whenever it does.
// Assumes what summary.h says; a name that points-to knows to be one variable, or one stack object, is that object.
// Cost    linear in settled accesses; the locks of callers are a fixed point over the call graph, per thread.
// Misses  locks that a caller holds under a name that stands on its formals, where points-to does not know the one lock
//         that is meant.
#pragma once

#include <array>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "oneapi/tbb/enumerable_thread_specific.h"

#include "analyse/guard/summary.h"
#include "analyse/race/places.h"
#include "analyse/symbolic/function.h"

namespace deadheat::analyse {

struct Performer {
  link::ThreadId thread; // the first of its crew
  uint32_t live = 0;     // of World::liveSets: at the entry of the function
  uint32_t locks = 0;    // of World::locksets: all that are held
  bool isOwn =
      false; // the object is what the thread was started with, another one for each instance, or was made by it
  bool isMade = false;   // it was made by the thread that does the access, by calls that have not returned
  bool isChosen = false; // it is an element that a number of the thread's own chooses, likely
  auto operator<=>(const Performer &) const = default;
};

struct WorldAccess {
  link::FuncId function; // that settled it
  uint32_t entry = 0;    // of its summary
  Address lvalue = {};   // in World::names
  Address path = {};     // the same, as it is reached
  link::Location where = {};
  Address container = {};   // of the library's, that keeps the object
  bool isSyntactic = false; // the name is one object's, not what points-to made of it
  bool isOwn = false;       // of the call of `function` that does it, on its stack, or allocated by it; or thread-local
  bool isFromOwn = false;   // the name begins at such an object, and leads on by pointers in it
  std::span<const Performer> performers = {}; // of World::performerLists
};

using HeldLocks = std::vector<HeldLock>; // sorted

inline constexpr size_t kMaxCrews = 64; // threads that are told apart one by one; more of them are crews

// Threads that are followed as one: in a kernel, all that come from outside, all work items, all timers.
using Crews = std::map<link::ThreadId, std::vector<link::ThreadId>>; // by the first of each; sorted

// What was asked for before, by one core.
struct FoundOut {
  explicit FoundOut(const link::PointsTo &pointsTo) : places(pointsTo) {}

  PlacesCache places;
  std::map<link::Location, bool> fewObjects;
  std::map<std::pair<link::ThreadId, link::FuncId>, link::ThreadId> nearest; // of a crew, at a function
};

struct World {
  const Environment &environment;
  Names names;
  std::vector<HeldLocks> locksets;
  Crews crews;
  std::vector<link::ThreadId> crewOf; // [thread]: the first of its crew; invalid: nobody starts it
  std::vector<bool> followed;         // [first of a crew * threads + first of another]: see link/followed.h
  std::map<link::FuncId, std::vector<link::ThreadId>> startingAt; // threads of an entry
  // Sorted: crews of which a thread has started one and not joined it.
  std::vector<std::vector<link::ThreadId>> liveSets;
  std::map<std::vector<link::ThreadId>, uint32_t> liveIds;
  std::map<std::array<uint32_t, 3>, uint32_t> liveSteps; // from one, by those joined and started of Threads::sets
  std::vector<bool>
      beforeExit; // [function]: the first thread may get there from main, or before it; empty: nothing is done at exit
  std::set<std::vector<Performer>> performerLists; // there are few, though accesses are many
  std::vector<WorldAccess> accesses;
  std::vector<std::vector<uint32_t>>
      twins; // [access]: those that it stands for, itself too; empty: another stands for it
  std::map<Address, std::string_view> lockTexts;
  std::set<uint32_t> waitedFields;             // of Fields: what loops on condition variables wait for
  std::vector<link::Location> waitedVariables; // the same, where it is no field
  mutable oneapi::tbb::enumerable_thread_specific<FoundOut> foundOut;
  std::map<link::ThreadId, std::set<link::Location>> signals; // atomics that a thread sets, semaphores that it posts
  std::map<link::ThreadId, std::set<link::Location>> counts;  // what it writes of what others wait for

  explicit World(const Environment &all)
      : environment(all), foundOut([&all] { return FoundOut(all.program.pointsTo); }) {}
  bool isFollowed(link::ThreadId thread, link::ThreadId other) const {
    return followed[thread.value() * crewOf.size() + other.value()];
  }
  const Entry &entryOf(const WorldAccess &access) const {
    return environment.summary(access.function).entries[access.entry];
  }
};

// The first thread has not yet started all that it will start: what it does now, it mostly does before it is looked at.
bool isStartingUp(const World &world, const Performer &performer);

// The thread of the performer's crew that gets to the function by the fewest calls, through narrow ones if it can.
link::ThreadId threadAt(const World &world, const Performer &performer, link::FuncId function);

// Others are told something by it.
bool tells(const World &world, const Entry &entry, link::Location where);

// A lock of any kind is held.
bool isGuarded(const World &world, const Performer &performer);

// The argument of a thread of which there are many, each with another one; or what a pointer in it leads to.
bool isDistinctPerThread(const World &world, NodeId node);

// No two calls of the function are under way at once: what is on its stack is one object.
bool isOneAtATime(const World &world, link::FuncId function);

World gatherWorld(const Environment &environment);

} // namespace deadheat::analyse
