#include "driver/call_path.h"

#include <deque>
#include <map>

#include "model/calls.h"

namespace deadheat::driver {
namespace {

using model::FunctionId;
using model::Unit;

// Calls with a callee that is known, in the order of the source.
std::vector<model::CallId> callsOf(const Unit &unit, const model::Function &function) {
  std::vector<model::CallId> calls;
  model::forEachCall(unit, function, [&](model::CallId call) {
    if (unit.calls[call].callee.isSymbol()) calls.push_back(call);
  });
  return calls;
}

std::map<model::StringId, FunctionId> functionsByName(const Unit &unit) {
  std::map<model::StringId, FunctionId> ids;
  for (uint32_t index = 0; index != unit.functions.size(); ++index)
    ids.try_emplace(unit.functions[FunctionId(index)].name, FunctionId(index));
  return ids;
}

std::vector<CallStep> chain(const std::map<FunctionId, CallStep> &reached, FunctionId outer, FunctionId inner) {
  std::vector<CallStep> path;
  for (FunctionId at = inner; at != outer; at = path.back().caller) path.push_back(reached.at(at));
  return path;
}

} // namespace

std::vector<CallStep> callPath(const Unit &unit, FunctionId outer, FunctionId inner) {
  if (outer == inner) return {};
  std::map<model::StringId, FunctionId> ids = functionsByName(unit);
  std::map<FunctionId, CallStep> reached; // by whom it is called
  std::deque<FunctionId> open = {outer};
  while (!open.empty() && !reached.contains(inner)) {
    FunctionId caller = open.front();
    open.pop_front();
    for (model::CallId call : callsOf(unit, unit.functions[caller])) {
      auto callee = ids.find(unit.symbols[unit.calls[call].callee.symbol()].name);
      if (callee == ids.end() || callee->second == outer) continue;
      if (reached.try_emplace(callee->second, CallStep{caller, call}).second) open.push_back(callee->second);
    }
  }
  return reached.contains(inner) ? chain(reached, outer, inner) : std::vector<CallStep>();
}

} // namespace deadheat::driver
