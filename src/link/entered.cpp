#include "link/entered.h"

#include "link/points_to_builder.h"

namespace deadheat::link {

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
    found.push_back({call.site, row, pointsTo.targets(call).functions, call.handle, argument, none});
  }
  return found;
}

} // namespace deadheat::link
