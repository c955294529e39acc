#include "link/threads.h"

#include <algorithm>

namespace deadheat::link {

std::vector<ThreadId> Threads::liveAt(FuncId function, model::StatementId statement) const {
  const std::vector<ThreadId> &entry = sets[liveAtEntry[function.value()]];
  auto rows = changes[function];
  auto after = std::ranges::upper_bound(rows, statement, {}, &Change::statement);
  if (after == rows.begin()) return entry;
  const Change &row = *(after - 1);
  std::vector<ThreadId> kept, live;
  std::ranges::set_difference(entry, sets[row.joined], std::back_inserter(kept));
  std::ranges::set_union(kept, sets[row.started], std::back_inserter(live));
  return live;
}

// Of threads that this one starts, those that it has started; of others, those that it meets at all.
bool Threads::mayBeLive(ThreadId other, const Point &point) const {
  if (!mayRunTogether(point.thread, other)) return false;
  if (!startedBy(other, point.thread)) return true;
  return std::ranges::binary_search(liveAt(point.function, point.statement), other);
}

bool Threads::mayRunTogether(const Point &first, const Point &second) const {
  if (first.thread == second.thread) return mayRunTogether(first.thread, second.thread);
  return mayBeLive(second.thread, first) && mayBeLive(first.thread, second);
}

} // namespace deadheat::link
