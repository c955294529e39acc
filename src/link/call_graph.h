// Who calls whom.
//
// Claim   callees(site) holds every function of the program that the call may reach: the one it names; through a pointer,
//         those that points-to finds; through a vtable, those in the slot in all tables of the static class and what
//         derives from it. A function handed to code without a body is called there, at that site.
// Assumes a pointer is called with the signature of the function it points to, where one of its functions has it.
//         `main` is not called through a pointer; what a call does that the program does not survive is of no interest
//         (last_words.h): such calls have no callees.
// Misses  `open(site)`: unknown code had a hand in the pointer, or nothing known reaches it.
#pragma once

#include <vector>

#include "link/code.h"
#include "link/ids.h"
#include "link/lists.h"
#include "model/code.h"

namespace deadheat::link {

struct CallSite {
  UnitId unit = {};
  model::CallId call = {};
  FuncId caller = {};                // invalid: in a duplicate body that was not chosen
  model::StatementId statement = {}; // its Call statement
  model::BlockId block = {};
};

using ComponentId = Id<struct ComponentTag>;

struct CallGraph {
  IdTable<CallSiteId, CallSite> sites;
  std::vector<uint32_t> firstSite;       // [unit]: its call c is site firstSite[unit] + c
  Lists<CallSiteId, FuncId> callees;     // sorted, unique; external functions too
  Lists<FuncId, CallSiteId> callers;     // sorted
  std::vector<bool> open;                // [site]
  Lists<ComponentId, FuncId> components; // strongly connected; callees before callers
  std::vector<ComponentId> componentOf;  // [function]
  std::vector<bool> recursive;           // [component]: more than one function, or one that calls itself

  CallSiteId site(UnitId unit, model::CallId call) const { return CallSiteId(firstSite[unit.value()] + call.value()); }
};

// Numbers the calls of all units; the rest is empty.
CallGraph numberCalls(const Code &code);

class PointsToBuilder;
struct Wrappers;

// What a row enters is not executed by the caller, or not now.
bool runsElsewhere(const knowledge::Row *row);

// The graph without calls through pointers of many targets, but for functions that are called in no other way: what most
// of it is likely to do.
CallGraph withoutWideCalls(const CallGraph &graph, const Code &code);

// Fills the rest, once points-to is done.
void connectCalls(CallGraph &graph, const Code &code, PointsToBuilder &pointsTo, const Wrappers &wrappers, Gaps &gaps);

} // namespace deadheat::link
