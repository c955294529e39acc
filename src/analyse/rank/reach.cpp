#include "analyse/rank/reach.h"

#include <algorithm>
#include <cmath>

namespace deadheat::analyse {

using link::FuncId;

double costOf(const Way &way) { return std::min(2.0, 0.4 * std::log2(std::max(1u, way.width))); }

Way Reach::to(link::ThreadId thread, FuncId function) {
  auto [place, isNew] = known_.try_emplace(thread);
  if (isNew) place->second = walk(thread);
  return place->second[function.value()];
}

uint32_t Reach::widthOf(FuncId caller, model::StatementId statement) const {
  const std::vector<CallRecord> &calls = world_.environment.summary(caller).calls;
  auto call = std::ranges::lower_bound(calls, statement, {}, &CallRecord::statement);
  if (call == calls.end() || call->statement != statement) return 1;
  return std::max<uint32_t>(1, static_cast<uint32_t>(world_.environment.program.calls.callees[call->site].size()));
}

// Wider calls are followed only when narrower ones lead nowhere new.
std::vector<Way> Reach::walk(link::ThreadId thread) const {
  const link::Program &program = world_.environment.program;
  std::vector<Way> ways(program.symbols.functions.size());
  std::vector<FuncId> reached;
  for (FuncId entry : program.threads.list[thread].entries) {
    ways[entry.value()] = {1, 0};
    reached.push_back(entry);
  }
  static constexpr uint32_t kWidths[] = {1, 2, 4, 8, 16, 32, 64, 128, UINT32_MAX};
  for (uint32_t limit : kWidths)
    for (size_t next = 0; next < reached.size(); ++next) {
      FuncId caller = reached[next];
      for (const CallRecord &call : world_.environment.summary(caller).calls) {
        auto callees = program.calls.callees[call.site];
        if (callees.size() > limit) continue;
        for (FuncId callee : callees) {
          if (ways[callee.value()].width != 0) continue;
          uint32_t width = static_cast<uint32_t>(callees.size());
          ways[callee.value()] = {std::max(ways[caller.value()].width, width), ways[caller.value()].depth + 1};
          reached.push_back(callee);
        }
      }
    }
  return ways;
}

} // namespace deadheat::analyse
