#include "link/direct_callers.h"

namespace deadheat::link {

Lists<FuncId, FuncId> directCallers(const Code &code, const CallGraph &graph) {
  ListsBuilder<FuncId, FuncId> builder(code.symbols.functions.size());
  for (const CallSite &site : graph.sites) {
    if (!site.caller.valid()) continue;
    FuncId callee = code.directCallee(site.unit, code.unit(site.unit).calls[site.call]);
    if (callee.valid()) builder.add(callee, site.caller);
  }
  return builder.finish();
}

std::vector<bool> callersWithin(const Lists<FuncId, FuncId> &callers, std::vector<FuncId> called, int depth) {
  std::vector<bool> found(callers.size());
  for (; depth > 0; --depth) {
    std::vector<FuncId> next;
    for (FuncId id : called)
      for (FuncId caller : callers[id])
        if (!found[caller.value()]) {
          found[caller.value()] = true;
          next.push_back(caller);
        }
    called = std::move(next);
  }
  return found;
}

} // namespace deadheat::link
