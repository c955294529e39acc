// What detection found in one process, with the tables that its numbers lead to.
#pragma once

#include <map>
#include <vector>

#include "detect/lock_order.h"
#include "detect/races.h"
#include "trace/merge.h"

namespace deadheat::detect {

// An access that no site made: a library call, known by its return address. Its id has kCallBit.
struct CallPlace {
  uint64_t place = 0;
  bool write = false;
  bool frees = false;

  auto operator<=>(const CallPlace &) const = default;
};
inline constexpr uint32_t kCallBit = 0x80000000;

struct ThreadFacts {
  trace::ThreadNumber number;
  trace::ThreadNumber parent; // not valid: no one told its creation
  uint64_t createdAt = 0;     // return address of the call that created it
  StackId createdIn;
  uint64_t entry = 0; // start routine
};

struct Deadlock {
  LockCycle cycle;
  bool happened = false;    // its threads were still waiting at the end
  bool byOneThread = false; // it took the locks in both orders: only another like it could close the circle
};

struct Allocation {
  uint64_t address = 0;
  uint64_t bytes = 0;
  uint64_t place = 0;
  StackId stack;
};

struct DetectionCounts {
  uint64_t accesses = 0; // told ones; accesses to the stack that nobody else can see are not
  uint64_t synchronisations = 0;
  uint64_t learnt = 0;          // by locks whose sections were not all told: it is a sampled run
  uint64_t unknownAccesses = 0; // no model speaks of them
  uint64_t pairs = 0;           // that the program told; then `accesses` are not all
  uint64_t forgottenPieces = 0; // that pairs spoke of
  uint64_t evictedPages = 0;
  uint64_t forgottenEntries = 0; // by the engine that predicts, as it must: see hybrid.h
  uint64_t droppedStacks = 0;
  uint64_t ignoredThreads = 0;
  bool lockSearchCut = false;
};

struct Detection {
  std::vector<Race> observed;  // unordered by happens-before
  std::vector<Race> predicted; // unordered by locks and hard order; may hold pairs of `observed`
  std::vector<Deadlock> deadlocks;
  std::map<uint64_t, Allocation> objects; // by address of a race: the block that it lies in

  StackTable stacks;
  LockTable locks;
  LockSetTable lockSets;
  WhereTable places;
  std::vector<CallPlace> calls;
  std::map<trace::ThreadNumber, ThreadFacts> threads;
  std::map<uint32_t, uint64_t> loads; // ObjectEntry::base -> what its link-time addresses lack
  DetectionCounts counts;
  trace::MergeGaps gaps;
};

// Paper 003, 5.3: fewer than three times in a million accesses.
constexpr bool isRare(const Race &race, const DetectionCounts &counts) {
  return race.count * 1'000'000 < 3 * counts.accesses;
}

} // namespace deadheat::detect
