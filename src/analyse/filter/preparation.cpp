#include "analyse/filter/preparation.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace deadheat::analyse {

namespace {

constexpr int kMaxLevels = 6;   // of callers
constexpr size_t kMaxWidth = 4; // targets of a call that counts
constexpr int kMaxLooks = 200;  // at functions, for one access

class Look {
public:
  Look(const World &world, link::ThreadId creator, link::ThreadId started)
      : program_(world.environment.program), creator_(creator), started_(started) {}

  bool at(link::FuncId function, model::StatementId statement, int levels) {
    if (++looks_ > kMaxLooks) return false;
    const link::LiveThreads &likely = program_.threads.likely;
    auto rows = likely.changes[function];
    auto after = std::ranges::upper_bound(rows, statement, {}, &link::LiveThreads::Change::statement);
    auto hasStarted = [&](const link::LiveThreads::Change &row) {
      return std::ranges::binary_search(likely.sets[row.started], started_);
    };
    if (after != rows.begin() && hasStarted(*std::prev(after))) return false;
    if (std::any_of(after, rows.end(), hasStarted)) return true;
    return levels > 0 && comesFromPreparation(function, levels);
  }

private:
  bool comesFromPreparation(link::FuncId function, int levels) {
    bool found = false;
    for (link::CallSiteId id : program_.calls.callers[function]) {
      const link::CallSite &site = program_.calls.sites[id];
      if (!site.caller.valid() || program_.calls.callees[id].size() > kMaxWidth) continue;
      if (!std::ranges::binary_search(program_.threads.executing[site.caller], creator_)) continue;
      if (!at(site.caller, site.statement, levels - 1)) return false;
      found = true;
    }
    return found;
  }

  const link::Program &program_;
  link::ThreadId creator_;
  link::ThreadId started_;
  int looks_ = 0;
};

} // namespace

bool isPreparation(const World &world, link::ThreadId creator, link::FuncId function, model::StatementId statement,
                   link::ThreadId started) {
  const link::Threads &threads = world.environment.program.threads;
  if (threads.likely.sets.empty() || !threads.startedBy(started, creator)) return false;
  return Look(world, creator, started).at(function, statement, kMaxLevels);
}

} // namespace deadheat::analyse
