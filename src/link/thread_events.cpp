#include "link/thread_events.h"

#include <algorithm>

#include "link/polled_joins.h"

namespace deadheat::link {

namespace {

constexpr std::string_view kTerminate = "_ZSt9terminatev";

class Gatherer {
public:
  Gatherer(const ThreadInput &input, const FoundThreads &found)
      : input_(input), found_(found), threads_(found.threads), joins_(input, found), polled_(input, found.threads) {
    for (uint32_t t = 0; t < threads_.list.size(); ++t)
      if (threads_.list[ThreadId(t)].inTurn) inTurn_.set(t);
  }

  ThreadEvents run(const std::vector<ThreadBits> &below) {
    for (size_t i = 0; i < input_.entered.size(); ++i)
      for (ThreadId id : found_.startedAt[i])
        if (!input_.entered[i].row->has(knowledge::kJoins)) addStart(input_.entered[i], id, below[id.value()]);
    for (uint32_t i = 0; i < input_.calls.sites.size(); ++i)
      for (FuncId callee : input_.calls.callees[CallSiteId(i)])
        if (const knowledge::Row *row = joinOf(input_, callee); row && input_.calls.sites[CallSiteId(i)].caller.valid())
          addJoin(CallSiteId(i), *row);
        else if (input_.code.function(callee).name == kTerminate)
          addTermination(input_.calls.sites[CallSiteId(i)]);
    return std::move(events_);
  }

private:
  void addStart(const Entered &entered, ThreadId id, const ThreadBits &below) {
    ThreadEvent &event = events_.calls[entered.site];
    event.starts.set(id.value());
    event.starts |= below;
    events_.startSites[id].push_back(entered.site);
    if (entered.row->success != knowledge::Success::Zero) return;
    const CallSite &start = input_.calls.sites[entered.site];
    std::ranges::copy(failedStart(input_.code, start), std::back_inserter(events_.failures[start.caller]));
  }

  // One thread with one instance is joined; a loop joins all that it may get, around the join itself or around the call of a
  // function that joins one.
  void addJoin(CallSiteId site, const knowledge::Row &row) {
    if (joins_.isMovedAway(site, row)) return events_.idleJoins.push_back(site);
    ThreadBits joined = joins_.of(site, row);
    if (joined.empty()) return addPartialJoin(site, row);
    bool one = (joined.count() == 1 && !threads_.list[ThreadId(joined.find_first())].many) ||
               joins_.isOnePerRound(site, joins_.handleOf(site, row), joined);
    ThreadEvent &event = events_.calls[site];
    event.joins = joined;
    event.atLoopExit = !one;
    event.polled = polled_.isPolled(site, joined);
    if (!one || event.polled || joined.intersects(inTurn_)) return;
    const CallSite &where = input_.calls.sites[site];
    for (const SkippingEdge &edge : skippedJoin(input_.code, where, joins_.handleOf(site, row)))
      events_.skipped[where.caller].push_back({edge, joined});
  }

  // Some of those that it may get are not for it to join.
  void addPartialJoin(CallSiteId site, const knowledge::Row &row) {
    if (ThreadBits own = joins_.ofCall(site, row); !own.empty())
      events_.calls[site].ofCall = own;
    else if (ThreadBits all = joins_.ofObject(site, row); !all.empty())
      events_.calls[site].ofObject = all;
  }

  // Past the destructor of a std::thread, which is not joined, no exception gets.
  void addTermination(const CallSite &end) {
    std::optional<Termination> found = end.caller.valid() ? terminationAt(input_.code, end) : std::nullopt;
    if (!found) return;
    ThreadBits ended = joins_.startedInto(input_.pointsTo.of(end.caller, found->handle));
    if (ended.count() == 1 && !threads_.list[ThreadId(ended.find_first())].many && !ended.intersects(inTurn_))
      events_.skipped[end.caller].push_back({found->around, ended});
  }

  const ThreadInput &input_;
  const FoundThreads &found_;
  const Threads &threads_;
  Joins joins_;
  PolledJoins polled_;
  ThreadBits inTurn_; // of these, whoever goes around a join may have found one at work
  ThreadEvents events_;
};

} // namespace

ThreadEvents gatherEvents(const ThreadInput &input, const FoundThreads &found, const std::vector<ThreadBits> &below) {
  return Gatherer(input, found).run(below);
}

} // namespace deadheat::link
