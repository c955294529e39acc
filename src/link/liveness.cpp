// Live sets are kept relative to the entry of their function (what was started and what was joined since), so that one
// pass over callees before callers makes summaries and one pass over callers before callees places them.
#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "oneapi/tbb/parallel_invoke.h"

#include "link/descendants.h"
#include "link/live_since.h"
#include "link/meetings.h"
#include "link/modes.h"
#include "link/objects_of_calls.h"
#include "link/split_blocks.h"
#include "link/thread_events.h"
#include "link/thread_finder.h"
#include "link/together.h"

namespace deadheat::link {

namespace {

using Bits = ThreadBits;

constexpr size_t kMaxThreads = 1024;
constexpr size_t kManyThreads = 256;    // beyond it, what a thread leaves running is looked at once
constexpr size_t kLargeComponent = 256; // functions that call each other: beyond it, their order is not looked at

class Liveness {
public:
  Liveness(const ThreadInput &input, FoundThreads &found)
      : input_(input), code_(input.code), calls_(&input.calls), found_(found), threads_(found.threads),
        count_(threads_.list.size()), live_(&threads_) {}

  void run() {
    threads_.together.assign(count_ * count_, true);
    threads_.descendant.assign(count_ * count_, false);
    threads_.startedIn.assign(count_, {});
    clear();
    if (count_ > kMaxThreads) return everythingLive();
    below_ = belowEach(threads_);
    findDescendants(threads_, below_);
    for (uint32_t t = 0; t < count_; ++t)
      if (threads_.list[ThreadId(t)].inTurn) inTurn_.set(t);
    events_ = gatherEvents(input_, found_, below_);
    threads_.idleJoins = events_.idleJoins;
    findStartedIn(threads_, *calls_, events_.startSites);
    for (uint32_t t = 0; t < count_; ++t)
      if (FuncId inside = threads_.startedIn[t]; inside.valid()) startedOnce_[inside].set(t);
    modeVariables_ = std::make_shared<ModeVariables>(code_, *calls_, threads_, events_);
    if (events_.startSites.empty()) return flowStrictly();
    Liveness likely(*this); // sets of bits remember where they were read last: each flow needs its own
    oneapi::tbb::parallel_invoke([&] { flowStrictly(); }, [&] { likely.flowLikely(); });
  }

private:
  using Summary = LiveSummary;

  void clear() {
    size_t functions = code_.symbols.functions.size();
    live_->liveAtEntry.assign(functions, 0);
    live_->changes.starts.assign(functions + 1, 0);
    live_->sets.assign(1, {});
    summaries_.assign(functions, {});
    rows_.assign(functions, {});
  }

  // A join asks what the thread leaves running, whose functions may come later.
  void flow() {
    for (int rounds = isNested() ? 2 : 1; rounds > 0; --rounds) summarise();
    place();
  }

  bool isNested() const {
    if (count_ > kManyThreads) return false;
    auto isByAnother = [](ThreadId creator) { return creator.value() != 0; };
    return std::ranges::any_of(threads_.list,
                               [&](const Thread &thread) { return std::ranges::any_of(thread.creators, isByAnother); });
  }

  void flowStrictly() {
    flow();
    findTogether(threads_, input_.calls, events_.startSites);
  }

  void flowLikely() {
    live_ = &threads_.likely;
    likely_ = true;
    CallGraph narrow = withoutWideCalls(input_.calls, code_);
    calls_ = &narrow;
    clear();
    flow();
  }

  size_t pair(ThreadId first, ThreadId second) const { return first.value() * count_ + second.value(); }

  void everythingLive() {
    std::vector<ThreadId> all;
    for (uint32_t t = 0; t < count_; ++t) all.push_back(ThreadId(t));
    threads_.sets.push_back(std::move(all));
    std::ranges::fill(threads_.liveAtEntry, 1);
    for (uint32_t t = 0; t < count_; ++t) threads_.together[t * count_ + t] = threads_.list[ThreadId(t)].many;
  }

  // Who cannot start a thread mostly gives up, and what it has started does not count: likely.
  void giveUp(FuncId id, const SkippingEdge &taken, Since &since) const {
    auto known = likely_ ? events_.failures.find(id) : events_.failures.end();
    if (known == events_.failures.end() || std::ranges::find(known->second, taken) == known->second.end()) return;
    leaveBehind(since);
  }

  // Nobody asked for a join: where it meets other ways, they decide.
  static void leaveBehind(Since &since) {
    since.joined |= since.started;
    since.started.clear();
  }

  bool isHostedBy(const Bits &threads, const Thread &job) const {
    return !job.hosts.empty() &&
           std::ranges::all_of(job.hosts, [&](ThreadId host) { return threads.test(host.value()); });
  }

  // What a join ends: the threads, what pools of them work off, and what they started and do not leave running.
  Bits ended(const Bits &joins) const {
    Bits all = joins;
    for (uint32_t t : joins) {
      ThreadId id(t);
      Bits inside = below_[t];
      for (FuncId entry : threads_.list[id].entries) inside.intersectWithComplement(summaries_[entry.value()].started);
      for (uint32_t child : inside)
        if (threads_.descendant[pair(id, ThreadId(child))]) all.set(child);
    }
    for (uint32_t t = 0; t < count_; ++t)
      if (isHostedBy(joins, threads_.list[ThreadId(t)])) all.set(t);
    return all;
  }

  bool isQuiet(FuncId id) const {
    bool quiet = true;
    code_.forEachStatement(id, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
      if (!quiet || statement.kind != model::StatementKind::Call) return;
      CallSiteId site = siteOf(id, statement);
      if (events_.calls.contains(site)) quiet = false;
      for (FuncId callee : calls_->callees[site])
        if (!summaries_[callee.value()].quiet()) quiet = false;
    });
    return quiet;
  }

  CallSiteId siteOf(FuncId id, const model::Statement &call) const {
    return calls_->site(code_.function(id).unit, model::CallId(static_cast<uint32_t>(call.number)));
  }

  // Callees first; a recursive component joins nothing and starts what any of its functions starts.
  void summarise() {
    for (uint32_t c = 0; c < calls_->components.size(); ++c) {
      auto members = calls_->components[ComponentId(c)];
      bool recursive = calls_->recursive[c];
      if (members.size() > kLargeComponent) {
        summariseAtOnce(members);
        continue;
      }
      for (bool changed = true; changed;) {
        changed = false;
        for (FuncId id : members) {
          if (code_.function(id).external() || isQuiet(id)) continue;
          Summary summary = flowThrough(id);
          if (recursive) summary = {.started = summary.started};
          if (recursive) summary.started |= summaries_[id.value()].started;
          changed |= recursive && !(summary.started == summaries_[id.value()].started);
          summaries_[id.value()] = summary;
        }
      }
    }
  }

  // Each of its functions reaches all others: what one starts, all may have started.
  void summariseAtOnce(std::span<const FuncId> members) {
    Bits started;
    for (FuncId id : members)
      code_.forEachStatement(id, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
        if (statement.kind != model::StatementKind::Call) return;
        started |= startedAt(siteOf(id, statement));
      });
    for (FuncId id : members)
      if (!code_.function(id).external()) summaries_[id.value()] = {.started = started};
    for (FuncId id : members)
      if (!code_.function(id).external() && !isQuiet(id)) flowThrough(id); // for its rows
  }

  struct Row {
    model::StatementId statement;
    LiveChange since;
  };

  // Where several ways of a branch meet again: what they start, and what is taken for joined there.
  struct Met {
    Bits starts;
    Bits joined;
  };
  using Meetings = std::map<uint32_t, Met>; // [block]

  // Of a function: what its passes need.
  struct Ways {
    Loops loops;
    std::map<uint32_t, Bits> loopJoins;
    Meetings meetings;
    SplitBlocks split;
    Modes modes;
  };

  Summary flowThrough(FuncId id) {
    Ways ways{findLoops(code_, id), {}, {}, splitBlocks(code_, id), modesOf(id)};
    ways.loopJoins = joinsOfLoops(id, ways.loops);
    findObjects(id, ways.loops);
    Bits each, polled;
    if (auto outside = ways.loopJoins.extract(Loops::kNone)) each = outside.mapped();
    if (likely_) {
      ways.meetings = meetingsOf(id);
      for (const auto &[loop, polls] : pollsOfLoops(id, ways.loops))
        (loop == Loops::kNone ? polled : ways.loopJoins[loop]) |= polls;
    }
    std::vector<Since> atStart = pass(id, ways);
    for (auto &[block, met] : ways.meetings) met.joined = atStart[block].asked;
    if (!ways.meetings.empty()) atStart = pass(id, ways);
    Summary summary = record(id, atStart);
    summary.each = each;
    summary.polled = polled;
    summary.own = joinsOfFirst(id);
    return summary;
  }

  Modes modesOf(FuncId id) const {
    return {code_, *calls_, id, [&](model::StatementId at) { return changeAt(id, at).valid(); },
            threads_.isMains(id) ? modeVariables_.get() : nullptr};
  }

  // Which calls that start or join are about the same object.
  void findObjects(FuncId id, const Loops &loops) {
    NumberedObjects numbers(code_, id);
    uint32_t first = code_.bodyOf(id).firstBlock.value();
    code_.forEachStatement(id, [&](model::BlockId block, model::StatementId at, const model::Statement &) {
      const bool isInLoop = loops.innermost[block.value() - first] != Loops::kNone;
      if (CallSiteId site = changeAt(id, at); site.valid())
        objects_[site] = numbers.of(calls_->sites[site], events_.calls.contains(site), isInLoop);
    });
  }

  // What the function joins of its first parameter's, itself or by what it hands it on to.
  Bits joinsOfFirst(FuncId id) const {
    Bits own;
    code_.forEachStatement(id, [&](model::BlockId, model::StatementId at, const model::Statement &) {
      const CallSiteId site = changeAt(id, at);
      if (auto event = events_.calls.find(site); event != events_.calls.end()) own |= ended(event->second.ofObject);
      if (auto object = objects_.find(site); object != objects_.end() && object->second.isFirst)
        own |= joinedByAll(site, &Summary::own);
    });
    return own;
  }

  // What is known at the start of each block.
  std::vector<Since> pass(FuncId id, const Ways &ways) const {
    const model::Unit &unit = code_.unitOf(id);
    const model::Function &body = code_.bodyOf(id);
    const auto blocks = static_cast<uint32_t>(body.blockCount + ways.split.copies.size());
    std::vector<Since> atStart(size_t{blocks} * ways.modes.states()); // copies for what tests have said
    atStart[0].reached = true;
    const bool isPlain = ways.loopJoins.empty() && !events_.skipped.contains(id) && !events_.failures.contains(id);
    std::vector<uint32_t> pending{0};
    while (!pending.empty()) {
      const uint32_t number = pending.back() % blocks, said = pending.back() / blocks, b = ways.split.block(number);
      Since since = met(ways.meetings, b, atStart[pending.back()]);
      pending.pop_back();
      const model::Block &block = unit.blocks[model::BlockId(body.firstBlock.value() + b)];
      const bool throws = mayThrow(unit, block);
      Since beforeLast = throws ? since : Since();
      CallSiteId change;
      for (uint32_t s = 0; s < block.statementCount; ++s) {
        change = changeAt(id, model::StatementId(block.firstStatement.value() + s));
        if (throws && s + 1 == block.statementCount) beforeLast = since;
        if (change.valid()) step(change, since);
      }
      const bool isStart = change.valid() && events_.calls.contains(change);
      for (uint32_t e = 0; e < block.edgeCount; ++e) {
        const model::Edge &edge = unit.edges[model::EdgeId(block.firstEdge.value() + e)];
        std::optional<uint32_t> says = ways.modes.along(said, b, e);
        if (!says || !ways.split.leads(number, edge.target)) continue;
        const bool isThrown = edge.kind == model::EdgeKind::Unwind; // before it was done
        uint32_t into = ways.split.into(number, edge.target) + *says * blocks;
        if (!isThrown && isPlain) {
          if (atStart[into].mergeFrom(since)) pending.push_back(into);
          continue;
        }
        Since along = isThrown && isStart ? beforeLast : since;
        if (isThrown) along.joined = beforeLast.joined;
        if (isThrown && likely_) leaveBehind(along); // a std::thread ends the program there
        joinSkipped(id, {b, edge.target}, along);
        giveUp(id, {b, edge.target}, along);
        leave(ways, b, edge.target, along);
        if (atStart[into].mergeFrom(along)) pending.push_back(into);
      }
    }
    for (uint32_t i = body.blockCount; i < atStart.size(); ++i)
      if (atStart[i].reached) atStart[ways.split.block(i % blocks)].mergeFrom(atStart[i]);
    atStart.resize(body.blockCount);
    for (uint32_t b = 0; b < body.blockCount; ++b) atStart[b] = met(ways.meetings, b, std::move(atStart[b]));
    return atStart;
  }

  Meetings meetingsOf(FuncId id) const {
    std::vector<Bits> starts(code_.bodyOf(id).blockCount);
    uint32_t first = code_.bodyOf(id).firstBlock.value();
    code_.forEachStatement(id, [&](model::BlockId block, model::StatementId, const model::Statement &statement) {
      if (statement.kind != model::StatementKind::Call) return;
      CallSiteId site = siteOf(id, statement);
      starts[block.value() - first] |= startedAt(site);
    });
    Meetings found;
    for (const Meeting &meeting : findMeetings(code_, id))
      for (uint32_t block : meeting.between) found[meeting.block].starts |= starts[block];
    return found;
  }

  // What one of them joins and none starts, is joined; what one of them starts, was not joined on the others.
  static Since met(const Meetings &meetings, uint32_t block, Since since) {
    auto meeting = meetings.find(block);
    if (meeting == meetings.end()) return since;
    since.asked.intersectWithComplement(meeting->second.starts);
    if (since.reached) since.join(meeting->second.joined);
    return since;
  }

  // Of which threads each round of a loop joins one; Loops::kNone: the function itself does. Of those in turn, which a join ends
  // anyway: a loop that starts none of them has joined them also if it made no round.
  std::map<uint32_t, Bits> joinsOfLoops(FuncId id, const Loops &loops) const {
    std::map<uint32_t, Bits> found, started;
    uint32_t first = code_.bodyOf(id).firstBlock.value();
    code_.forEachStatement(id, [&](model::BlockId block, model::StatementId, const model::Statement &statement) {
      if (statement.kind != model::StatementKind::Call) return;
      CallSiteId site = siteOf(id, statement);
      Bits joins = joinedByAll(site, &Summary::each);
      const uint32_t loop = loops.innermost[block.value() - first];
      if (auto event = events_.calls.find(site); event != events_.calls.end()) {
        if (event->second.atLoopExit && !isPolledInLoop(event->second, loop))
          joins |= event->second.joins;
        else if (event->second.joins.intersects(inTurn_) && isInEachRound(code_, id, loops, block.value() - first))
          joins |= event->second.joins & inTurn_;
        started[loop] |= event->second.starts;
      }
      if (!joins.empty()) found[loop] |= joins;
    });
    for (auto &[loop, joins] : found) joins.intersectWithComplement(started[loop] & inTurn_);
    return found;
  }

  static bool isPolledInLoop(const ThreadEvent &event, uint32_t loop) { return event.polled && loop != Loops::kNone; }

  // Of which threads each round joins those that have ended. Who does that again and again, and starts none of them meanwhile, likely
  // goes on until all have.
  std::map<uint32_t, Bits> pollsOfLoops(FuncId id, const Loops &loops) const {
    std::map<uint32_t, Bits> found;
    std::vector<std::pair<uint32_t, Bits>> started; // in which block
    uint32_t first = code_.bodyOf(id).firstBlock.value();
    code_.forEachStatement(id, [&](model::BlockId block, model::StatementId, const model::Statement &statement) {
      if (statement.kind != model::StatementKind::Call) return;
      CallSiteId site = siteOf(id, statement);
      const uint32_t loop = loops.innermost[block.value() - first];
      if (Bits polls = joinedByAll(site, &Summary::polled); !polls.empty()) found[loop] |= polls;
      auto event = events_.calls.find(site);
      if (event != events_.calls.end() && isPolledInLoop(event->second, loop))
        found[loops.around[loop]] |= event->second.joins;
      started.push_back({block.value() - first, startedAt(site)});
    });
    for (auto &[loop, polls] : found)
      for (const auto &[block, threads] : started)
        if (loop != Loops::kNone && loops.isIn(block, loop)) polls.intersectWithComplement(threads);
    return found;
  }

  Bits startedAt(CallSiteId site) const {
    Bits starts;
    if (auto event = events_.calls.find(site); event != events_.calls.end()) starts = event->second.starts;
    for (FuncId callee : calls_->callees[site]) starts |= summaries_[callee.value()].started;
    return starts;
  }

  // Whichever function is called.
  Bits joinedByAll(CallSiteId site, Bits Summary::*which) const {
    auto callees = calls_->callees[site];
    if (callees.empty()) return {};
    Bits joins = summaries_[callees.front().value()].*which;
    for (FuncId callee : callees) joins &= summaries_[callee.value()].*which;
    return joins;
  }

  // An edge out of a loop that joins: what it joins is joined.
  void leave(const Ways &ways, uint32_t from, uint32_t to, Since &since) const {
    for (uint32_t loop = ways.loops.innermost[from]; !ways.loops.isIn(to, loop); loop = ways.loops.around[loop])
      if (auto left = ways.loopJoins.find(loop); left != ways.loopJoins.end()) since.join(ended(left->second));
  }

  void joinSkipped(FuncId id, const SkippingEdge &taken, Since &since) const {
    if (auto known = events_.skipped.find(id); known != events_.skipped.end())
      for (const auto &[edge, joins] : known->second)
        if (edge == taken) since.join(ended(joins));
  }

  // The call there, if it starts or joins a thread; most statements do not, and copying what is known is most of the cost.
  CallSiteId changeAt(FuncId id, model::StatementId at) const {
    const model::Statement &statement = code_.unitOf(id).statements[at];
    if (statement.kind != model::StatementKind::Call) return {};
    CallSiteId site = siteOf(id, statement);
    bool isQuiet =
        std::ranges::all_of(calls_->callees[site], [&](FuncId callee) { return summaries_[callee.value()].quiet(); });
    return isQuiet && !events_.calls.contains(site) ? CallSiteId() : site;
  }

  // Callees of a call through a pointer mostly do the same, one after the other: nothing.
  void callOneOf(std::span<const FuncId> callees, CallObject object, Since &since) const {
    if (callees.empty()) return;
    Since before = callees.size() > 1 ? since : Since();
    const Summary *last = &summaries_[callees.front().value()];
    since.call(*last, object);
    for (FuncId callee : callees.subspan(1)) {
      const Summary &summary = summaries_[callee.value()];
      if (summary == *last) continue;
      last = &summary;
      Since after = before;
      after.call(summary, object);
      since.mergeFrom(after);
    }
  }

  void step(CallSiteId site, Since &since) const {
    auto known = objects_.find(site);
    const CallObject object = known == objects_.end() ? CallObject() : known->second;
    callOneOf(calls_->callees[site], object, since);
    auto event = events_.calls.find(site);
    if (event == events_.calls.end()) return;
    since.start(event->second.starts, object);
    if (!event->second.atLoopExit) since.join(ended(event->second.joins));
    since.end(ended(event->second.ofCall));
    dropOrphans(since);
  }

  // Who was started only by threads that were joined, and that leave nobody running, is over.
  void dropOrphans(Since &since) const {
    auto isOver = [&](uint32_t t) {
      const std::vector<ThreadId> &creators = threads_.list[ThreadId(t)].creators;
      return !creators.empty() && std::ranges::all_of(creators, [&](ThreadId creator) {
        return since.joined.test(creator.value()) &&
               std::ranges::none_of(threads_.list[creator].entries,
                                    [&](FuncId entry) { return summaries_[entry.value()].started.test(t); });
      });
    };
    Bits over;
    for (uint32_t t : since.started)
      if (isOver(t)) over.set(t);
    if (!over.empty()) since.join(over);
  }

  // Rows for each block and each change in it; the summary is what holds at the returns.
  Summary record(FuncId id, const std::vector<Since> &atStart) {
    const model::Unit &unit = code_.unitOf(id);
    const model::Function &body = code_.bodyOf(id);
    std::vector<Row> &rows = rows_[id.value()];
    rows.clear();
    Since atEnd;
    for (uint32_t b = 0; b < body.blockCount; ++b) {
      const model::Block &block = unit.blocks[model::BlockId(body.firstBlock.value() + b)];
      Since since = atStart[b];
      rows.push_back({block.firstStatement, since});
      for (uint32_t s = 0; s < block.statementCount; ++s) {
        model::StatementId at(block.firstStatement.value() + s);
        CallSiteId change = changeAt(id, at);
        if (!change.valid()) continue;
        LiveChange before = since;
        step(change, since);
        if (before != static_cast<const LiveChange &>(since))
          rows.push_back({model::StatementId(at.value() + 1), since});
      }
      if (doesReturn(unit, block)) atEnd.mergeFrom(since);
    }
    // Who returns early from a function that joins threads, and starts none of them, found them joined already.
    Bits joined = atEnd.asked;
    joined.intersectWithComplement(atEnd.started | inTurn_);
    joined |= atEnd.joined;
    return {.started = atEnd.started, .joined = joined};
  }

  // Callers first: what is live at a call is live at the entry of what it calls.
  void place() {
    std::vector<Bits> entry(code_.symbols.functions.size());
    enterOthers(entry);
    enterMain(entry);
    for (uint32_t c = static_cast<uint32_t>(calls_->components.size()); c-- > 0;) {
      auto members = calls_->components[ComponentId(c)];
      if (members.size() > kLargeComponent) placeAtOnce(members, entry);
      size_t rounds = calls_->recursive[c] && members.size() <= kLargeComponent ? members.size() + 1 : 1;
      for (bool changed = true; changed && rounds-- > 0;) {
        changed = false;
        for (FuncId id : members) changed |= placeCallees(id, entry);
      }
    }
    ListsBuilder<FuncId, LiveThreads::Change> builder(rows_.size());
    SetNumbers numbers(live_->sets);
    SetNumbers::Last onEntry, joined, started;
    for (uint32_t f = 0; f < rows_.size(); ++f) {
      live_->liveAtEntry[f] = numbers.of(entry[f], onEntry);
      for (const Row &row : rows_[f])
        builder.add(FuncId(f),
                    {row.statement, numbers.of(row.since.joined, joined), numbers.of(row.since.started, started)});
    }
    live_->changes = builder.finish();
  }

  // In a large component: what is live at one entry or started by any function, may be live at every entry.
  void placeAtOnce(std::span<const FuncId> members, std::vector<Bits> &entry) const {
    Bits live;
    for (FuncId id : members) {
      live |= entry[id.value()];
      live |= summaries_[id.value()].started;
    }
    for (FuncId id : members) entry[id.value()] = live;
  }

  // A thread finds those that it joins and has not started. Once joined, one of which there is one only does not come back.
  void enterOthers(std::vector<Bits> &entry) const {
    auto comesBack = [&](uint32_t t) { return threads_.list[ThreadId(t)].many || threads_.list[ThreadId(t)].inTurn; };
    for (const auto &[site, event] : events_.calls)
      for (ThreadId joiner : threads_.executing[calls_->sites[site].caller])
        for (uint32_t joined : event.joins) {
          if (joined == joiner.value() || comesBack(joined) || threads_.startedBy(ThreadId(joined), joiner)) continue;
          for (FuncId id : threads_.list[joiner].entries) entry[id.value()].set(joined);
        }
  }

  // Each entry of the main thread finds what those before it left; where main does not return, anything may still run.
  void enterMain(std::vector<Bits> &entry) const {
    Bits left;
    for (const Thread &thread : threads_.list) {
      if (thread.kind != ThreadKind::Main) continue;
      for (FuncId id : thread.entries) {
        entry[id.value()] |= left;
        left |= summaries_[id.value()].started;
        if (code_.function(id).name == "main" && !doesReturn(code_, id)) left = below_[0];
      }
    }
  }

  // What once runs finds none of the threads that only it starts.
  Bits enteredWith(FuncId callee, const Bits &live) const {
    auto own = startedOnce_.find(callee);
    if (own == startedOnce_.end()) return live;
    Bits others = live;
    others.intersectWithComplement(own->second);
    return others;
  }

  bool placeCallees(FuncId id, std::vector<Bits> &entry) const {
    bool changed = false;
    auto spread = [&](CallSiteId site, const Bits &live) {
      for (FuncId callee : calls_->callees[site]) changed |= entry[callee.value()] |= enteredWith(callee, live);
    };
    const std::vector<Row> &rows = rows_[id.value()];
    if (rows.empty() && entry[id.value()].empty()) return false;
    size_t next = 0;
    Bits live = entry[id.value()];
    code_.forEachStatement(id, [&](model::BlockId, model::StatementId at, const model::Statement &statement) {
      for (; next < rows.size() && rows[next].statement <= at; ++next)
        live = rows[next].since.liveIn(entry[id.value()]);
      if (statement.kind == model::StatementKind::Call) spread(siteOf(id, statement), live);
    });
    return changed;
  }

  const ThreadInput &input_;
  const Code &code_;
  const CallGraph *calls_;
  FoundThreads &found_;
  Threads &threads_;
  size_t count_;
  LiveThreads *live_;
  bool likely_ = false;     // for Threads::likely
  std::vector<Bits> below_; // [thread]: what it may start, itself or through others
  Bits inTurn_;             // of these, whoever goes around a join may have found one at work
  ThreadEvents events_;
  std::map<FuncId, Bits> startedOnce_;       // by what once runs, in which alone they are started
  std::map<CallSiteId, CallObject> objects_; // of calls that start or join
  std::shared_ptr<const ModeVariables> modeVariables_;
  std::vector<Summary> summaries_;
  std::vector<std::vector<Row>> rows_;
};

} // namespace

void findLiveness(const ThreadInput &input, FoundThreads &found) { Liveness(input, found).run(); }

} // namespace deadheat::link
