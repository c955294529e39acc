// What a directed run is told, and what came of it. Plain data: the controller works on these, and a test can make them
// up.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "abi/control.h"
#include "support/error.h"

namespace deadheat::confirm {

struct Direction {
  abi::StrategyId strategy = abi::StrategyId::Racefuzzer;
  uint64_t seed = 0;
  uint32_t resolve = 0; // 0: at random; 1, 2: that side first
  uint32_t depth = 3;   // of pct
  uint32_t expectedPoints = 0;
  bool stopBefore = false; // stop for a debugger at the first hit
  uint32_t calm = 0;       // this to patient: as in abi::Control
  bool hasty = false;
  bool lax = false;
  bool patient = false;
  bool keepCalls = false;       // list the acquisitions of locks
  bool keepMemoryCalls = false; // and calls of the library that read or write memory
  uint64_t spinNanoseconds = 0; // learned by earlier runs of the command, as in abi::Control
  std::vector<abi::Target> targets = {};
  std::vector<abi::Decision> decisions = {}; // of replay, by point
};

struct Outcome {
  std::optional<int> exit = {};
  std::optional<int> signal = {};
  bool timedOut = false;    // our limit ended it
  bool outOfMemory = false; // our limit ended it
  bool cut = false;         // there was no time left for it, or the user wants an end: says nothing about the program
  bool directed = false;    // a process with the targets was found and obeyed
  bool fixedLayout = false; // its addresses are the same in every run
  bool deadlock = false;
  uint64_t points = 0;
  uint64_t steps = 0;
  uint64_t heldNanoseconds = 0; // that passed for the program while threads were held back
  uint64_t hits = 0;
  uint64_t reached[2] = {0, 0};
  bool oneThread = false; // both sides ran, all of it in one thread
  abi::Order order = {};  // of the two sides
  uint64_t spinNanoseconds = 0;
  uint64_t childThreads = 0;  // of children of the directed process, which run free
  uint64_t strayed = 0;       // decisions of a replay that could not be taken
  uint64_t lostDecisions = 0; // beyond what is kept: cannot be replayed
  std::vector<abi::Hit> hitList = {};
  std::vector<abi::Decision> decisions = {};
  std::vector<abi::Switch> switches = {}; // before the first hit and after it, in order
  uint64_t switchesBefore = 0;            // older ones, which were not kept
  std::vector<abi::TaskView> tasks = {};
  std::vector<abi::ControlObject> objects = {};
  std::vector<abi::TargetCount> targetCounts = {};
  std::vector<abi::SeenCall> calls = {};             // if asked for; in no order
  std::vector<abi::SeenMemoryCall> memoryCalls = {}; // the same
  std::string output = {};                           // standard output, bounded
  std::string errors = {};                           // standard error, bounded
  double seconds = 0;
  double processorSeconds = 0; // of all processes that it waited for

  bool hit() const { return hits != 0; }
};

// Runs the program once. An Error is about us (no memory, no such command), not about the program.
using Runner = std::function<Expected<Outcome>(const Direction &)>;

} // namespace deadheat::confirm
