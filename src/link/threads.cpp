#include "link/threads.h"

#include <algorithm>

#include "link/followed.h"

namespace deadheat::link {

std::vector<ThreadId> LiveThreads::liveAt(FuncId function, model::StatementId statement) const {
  return liveAt(function, statement, sets[liveAtEntry[function.value()]]);
}

std::vector<ThreadId> LiveThreads::liveAt(FuncId function, model::StatementId statement,
                                          const std::vector<ThreadId> &live) const {
  auto rows = changes[function];
  auto after = std::ranges::upper_bound(rows, statement, {}, &Change::statement);
  if (after == rows.begin()) return live;
  const Change &row = *(after - 1);
  std::vector<ThreadId> kept, all;
  std::ranges::set_difference(live, sets[row.joined], std::back_inserter(kept));
  std::ranges::set_union(kept, sets[row.started], std::back_inserter(all));
  return all;
}

bool Threads::isStartedLater(ThreadId thread, FuncId function, model::StatementId statement) const {
  const FuncId inside = once.inside[function.value()];
  return inside.valid() && startedIn[thread.value()] == inside &&
         !std::ranges::binary_search(liveAt(function, statement), thread);
}

// Of threads that this one starts, those that it has started; of others, those that it meets at all, and has not joined.
bool Threads::mayBeLive(ThreadId other, const Point &point) const {
  if (!mayRunTogether(point.thread, other)) return false;
  if (isStartedLater(other, point.function, point.statement)) return false;
  if (!isFollowed(*this, point.thread, other)) return true;
  return std::ranges::binary_search(liveAt(point.function, point.statement), other);
}

bool Threads::mayRunTogether(const Point &first, const Point &second) const {
  if (first.thread == second.thread) return mayRunTogether(first.thread, second.thread);
  return mayBeLive(second.thread, first) && mayBeLive(first.thread, second);
}

} // namespace deadheat::link
