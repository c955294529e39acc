#include "analyse/rank/reach.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <tuple>

#include "oneapi/tbb/parallel_for_each.h"

#include "analyse/rank/walk.h"

namespace deadheat::analyse {

using link::FuncId;

static constexpr double kMostOfWidth = 3.0;
static constexpr double kContradicted = 2.5;

double costOf(const Way &way) {
  return std::min(kMostOfWidth, 0.4 * std::max(0.0F, way.bits)) + (way.isLikely ? 0.0 : kContradicted);
}

struct Reach::Walked {
  std::vector<Way> ways;  // [function]
  std::vector<Step> from; // [function]: the call on that way
  llvm::DenseMap<uint32_t, Known> onEntry;
  llvm::BitVector flows; // [flag]: see walk.h
};

namespace {

// The narrowest ways from where a thread begins, whatever it knows.
class Narrowest {
public:
  explicit Narrowest(const World &world) : world_(world), calls_(world.environment.program.calls) {}

  // Of those that have none yet.
  void find(link::ThreadId thread, std::vector<Way> &ways, std::vector<Step> &from) {
    for (link::ThreadId each : world_.crews.at(thread))
      for (FuncId entry : world_.environment.program.threads.list[each].entries) open_.push({0, 0, entry, {}});
    std::vector<bool> seen(ways.size());
    while (!open_.empty()) {
      auto [bits, depth, function, step] = open_.top();
      open_.pop();
      if (seen[function.value()]) continue;
      seen[function.value()] = true;
      if (!ways[function.value()].isReached()) {
        ways[function.value()] = {bits, depth, false};
        from[function.value()] = step;
      }
      follow(function, bits, depth, seen);
    }
  }

private:
  struct Open {
    float bits;
    uint32_t depth;
    FuncId function;
    Step step;                                // the call that leads there
    bool operator<(const Open &other) const { // the least is on top
      return std::tie(other.bits, other.depth, other.function) < std::tie(bits, depth, function);
    }
  };

  void follow(FuncId caller, float bits, uint32_t depth, const std::vector<bool> &seen) {
    const uint32_t step = isLibrarys(world_, caller) ? 0 : 1;
    for (const CallRecord &call : world_.environment.summary(caller).calls) {
      auto callees = calls_.callees[call.site];
      float wide = callees.empty() ? 0.0F : std::log2(static_cast<float>(callees.size()));
      for (FuncId callee : calleesOf(calls_, call))
        if (!seen[callee.value()]) open_.push({bits + wide, depth + step, callee, {caller, call.statement}});
    }
  }

  const World &world_;
  const link::CallGraph &calls_;
  std::priority_queue<Open> open_;
};

} // namespace

Reach::Reach(const World &world)
    : world_(world), conditions_(world.environment.program), callbacks_(world.environment.program) {}

Reach::~Reach() = default;

// Likely ways first; what they do not lead to is reached by others.
static std::vector<Way> findWays(const World &world, const Walk &walk, link::ThreadId thread, std::vector<Step> &from) {
  std::vector<Way> ways;
  for (const Walk::Arrival &arrival : walk.arrivals()) {
    ways.push_back(arrival.isReached ? Way{arrival.bits, arrival.depth, true} : Way());
    from.push_back(arrival.from);
  }
  Narrowest(world).find(thread, ways, from);
  return ways;
}

std::unique_ptr<Reach::Walked> Reach::walk(link::ThreadId thread) const {
  auto known = std::make_unique<Walked>();
  Walk walk(world_, conditions_, callbacks_, thread);
  walk.run();
  known->flows = walk.flows();
  known->ways = findWays(world_, walk, thread, known->from);
  for (uint32_t i = 0; i < walk.arrivals().size(); ++i) {
    const Walk::Arrival &arrival = walk.arrivals()[i];
    if (!arrival.facts.rows().empty() || !arrival.spans.empty()) known->onEntry[i] = {arrival.facts, arrival.spans};
  }
  return known;
}

void Reach::prepare() {
  for (const auto &[thread, crew] : world_.crews) known_[thread] = nullptr;
  oneapi::tbb::parallel_for_each(known_, [&](auto &known) { known.second = walk(known.first); });
}

const Reach::Walked &Reach::walked(link::ThreadId thread) {
  std::unique_ptr<Walked> &known = known_[thread];
  if (!known) known = walk(thread);
  return *known;
}

Way Reach::to(link::ThreadId thread, FuncId function) { return walked(thread).ways[function.value()]; }

std::vector<Step> Reach::wayTo(link::ThreadId thread, FuncId function) {
  const std::vector<Step> &from = walked(thread).from;
  std::vector<Step> steps;
  for (Step step = from[function.value()]; step.function.valid(); step = from[step.function.value()])
    steps.push_back(step);
  std::ranges::reverse(steps);
  return steps;
}

Known Reach::onEntry(link::ThreadId thread, FuncId function) { return walked(thread).onEntry.lookup(function.value()); }

std::optional<Known> Reach::knownAt(link::ThreadId thread, const std::vector<Step> &steps) {
  const Walked &walked = this->walked(thread);
  if (!walked.ways[steps[0].function.value()].isLikely) return std::nullopt;
  Known known = onEntry(thread, steps[0].function);
  for (size_t i = 0; i < steps.size(); ++i) {
    const Step &step = steps[i];
    std::optional<Facts> facts = conditions_.knownAt(known.facts, step.function, step.statement);
    if (!facts) return std::nullopt;
    known.facts = *facts;
    for (const Span &span : conditions_.spansAt(step.function, step.statement)) insertSorted(known.spans, span);
    const CallRecord *call = i + 1 < steps.size() ? callAt(step.function, step.statement) : nullptr;
    if (!call) continue;
    known.facts.eraseIf([&](const auto &row) { return !walked.flows[row.first.value()]; });
    for (const auto &[flag, fact] : conditions_.handedTo(steps[i + 1].function, call->site, *facts).rows())
      known.facts.set(flag, fact);
  }
  return known;
}

const CallRecord *Reach::callAt(FuncId caller, model::StatementId statement) const {
  const std::vector<CallRecord> &calls = world_.environment.summary(caller).calls;
  auto call = std::ranges::lower_bound(calls, statement, {}, &CallRecord::statement);
  return call == calls.end() || call->statement != statement ? nullptr : &*call;
}

uint32_t Reach::widthOf(FuncId caller, model::StatementId statement) const {
  const CallRecord *call = callAt(caller, statement);
  size_t width = call ? world_.environment.program.calls.callees[call->site].size() : 1;
  return std::max<uint32_t>(1, static_cast<uint32_t>(width));
}

} // namespace deadheat::analyse
