// The whole program: what the static engines work on.
//
// Claim   The same inputs give the same Program, with any number of jobs.
// Cost    Every stage is near-linear in statements; bench/link_scaling.py holds time and memory per statement.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "link/call_graph.h"
#include "link/gaps.h"
#include "link/points_to.h"
#include "link/symbols.h"
#include "link/threads.h"
#include "support/error.h"

namespace deadheat::link {

struct Options {
  unsigned jobs = 0; // 0: all cores
};

// What a stage of linking took.
struct Stage {
  std::string_view name;
  double seconds = 0;
};

struct Program {
  std::vector<model::LinkedUnit> units;
  std::vector<uint32_t> binaryOf; // [unit]: index into binaries
  std::vector<std::string> binaries;
  Symbols symbols;
  std::deque<knowledge::Row> onceRows; // of functions that wrap once; symbols refer to them
  PointsTo pointsTo;
  CallGraph calls;
  Threads threads;
  std::vector<bool> makers;              // [function]: all that it returns is null, or was allocated in this call
  std::vector<bool> madeOnce;            // [object of points-to]: see made_once.h
  std::vector<bool> madeByOneCall;       // likewise
  std::vector<std::vector<bool>> shared; // [unit][site]: touches an object that two threads can reach
  uint32_t sharedCount = 0;
  Gaps gaps;
  std::vector<Stage> stages;

  const model::Unit &unit(UnitId id) const { return units[id.value()].unit; }
  const Function &function(FuncId id) const { return symbols.functions[id]; }
  const Variable &variable(GlobalId id) const { return symbols.variables[id]; }

  // The unit that has the body, and the body's row. Only of functions with a body.
  const model::Unit &unitOf(FuncId id) const { return unit(function(id).unit); }
  const model::Function &bodyOf(FuncId id) const { return unitOf(id).functions[function(id).body]; }

  bool isShared(UnitId unit, model::SiteId site) const { return shared[unit.value()][site.value()]; }
};

// Links binaries, the executable first. The table says what library functions do, and must outlive the program.
Expected<Program> linkProgram(std::vector<Binary> binaries, const knowledge::Table &table, const Options &options);

// Functions whose name, as the linker or as a person knows it, is `name`; if there are none, those that are called so
// without parameters, or without what encloses them.
std::vector<FuncId> functionsNamed(const Program &program, std::string_view name);

// How a person calls the thread: its entry.
std::string threadName(const Program &program, ThreadId thread);

// What --explain prints of threads: who may execute the function, what may be live at its entry and where that changes,
// and why. One fact a line.
std::vector<ThreadFact> explain(const Program &program, FuncId function);

} // namespace deadheat::link
