// Calls that make somebody else call a function: thread starts, handlers, what runs at exit.
#pragma once

#include <vector>

#include "link/call_graph.h"
#include "link/points_to.h"
#include "link/wrappers.h"

namespace deadheat::link {

struct Entered {
  CallSiteId site;
  const knowledge::Row *row;     // of the callee, or of the wrapper that it is
  std::vector<FuncId> functions; // sorted
  Location handle;               // where the thread's handle goes, if by address
  Location argument;             // what the entry's parameter gets
  FuncId through = {};           // the library's function that calls them: see chosen_entries.h
  model::Operand handed = {};    // then: what the entry's parameter gets, in the caller; none: not known
  bool none = false;             // there is no function: null, SIG_IGN, a handler that was registered before
};

std::vector<Entered> findEntered(const Code &code, const CallGraph &graph, const Wrappers &wrappers,
                                 PointsToBuilder &pointsTo);

} // namespace deadheat::link
