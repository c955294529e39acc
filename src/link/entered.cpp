#include "link/entered.h"

#include <algorithm>
#include <utility>

#include "link/chosen_entries.h"
#include "link/points_to_builder.h"

namespace deadheat::link {

static void choose(const Code &code, const CallGraph &graph, Entered &entered) {
  if (entered.row->entryIs != knowledge::Entry::Virtual) return;
  FuncId own = entryOfRecord(code, graph, entered.site, entered.row->entry, entered.row->offset);
  if (std::ranges::binary_search(entered.functions, own)) entered.functions = {own};
  if (entered.functions.size() != 1) return;
  Chosen chosen = chosenEntry(code, graph, entered.site, entered.functions[0], entered.row->entry);
  if (!chosen.function.valid()) return;
  entered.through = std::exchange(entered.functions[0], chosen.function);
  entered.handed = chosen.argument;
}

std::vector<Entered> findEntered(const Code &code, const CallGraph &graph, const Wrappers &wrappers,
                                 PointsToBuilder &pointsTo) {
  std::vector<Entered> found;
  for (const Unbound &call : pointsTo.unbound()) {
    if (call.kind != Unbound::Kind::Entry) continue;
    const CallSite &site = graph.sites[call.site];
    FuncId callee = code.directCallee(site.unit, code.unit(site.unit).calls[site.call]);
    if (!callee.valid()) continue;
    const knowledge::Row *row =
        wrappers.spawns[callee.value()] ? wrappers.spawns[callee.value()] : code.function(callee).known;
    if (!row || !runsElsewhere(row)) continue;
    bool none =
        !call.callee.valid() || (row->action == knowledge::Action::Handler && pointsTo.isReachedByNothing(call));
    Location argument = row->parameter < call.arguments.size() ? call.arguments[row->parameter] : Location();
    found.push_back({.site = call.site,
                     .row = row,
                     .functions = pointsTo.targets(call).functions,
                     .handle = call.handle,
                     .argument = argument,
                     .none = none});
    choose(code, graph, found.back());
  }
  return found;
}

} // namespace deadheat::link
