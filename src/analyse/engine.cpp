#include "analyse/engine.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>

#include "oneapi/tbb/enumerable_thread_specific.h"
#include "oneapi/tbb/global_control.h"
#include "oneapi/tbb/parallel_for.h"

#include "analyse/bottom_up.h"
#include "analyse/explain.h"
#include "analyse/filter/filters.h"
#include "analyse/race/buckets.h"
#include "analyse/race/candidate.h"
#include "analyse/race/describe.h"
#include "analyse/race/guarded.h"
#include "analyse/rank/among.h"
#include "analyse/rank/belief.h"
#include "analyse/rank/fold.h"
#include "analyse/rank/score.h"

namespace deadheat::analyse {

struct RaceEngine::State {
  std::optional<oneapi::tbb::global_control> limit;
  Environment environment;
  std::optional<World> world;
  std::vector<RacePair> pairs;
  std::optional<Reach> reach;
  std::optional<Crowd> crowd;
  std::vector<Stage> stages;
  uint64_t dropped = 0;

  explicit State(const link::Program &program) : environment(program) {}

  template <typename Work> auto timed(const char *name, Work work) {
    struct Clock {
      std::vector<Stage> &stages;
      const char *name;
      std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
      ~Clock() {
        stages.push_back({name, std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count()});
      }
    } clock{stages, name};
    return work();
  }
};

RaceEngine::RaceEngine(const link::Program &program, const Options &options)
    : state_(std::make_unique<State>(program)) {
  State &state = *state_;
  if (options.jobs > 0) state.limit.emplace(oneapi::tbb::global_control::max_allowed_parallelism, options.jobs);
  state.timed("summaries", [&] { summarise(state.environment); });
  state.timed("threads", [&] { state.world.emplace(gatherWorld(state.environment)); });
  state.timed("twins", [&] { findTwins(*state.world); });
  state.timed("pairs", [&] { state.pairs = racingPairs(*state.world); });
  state.timed("ways", [&] {
    state.reach.emplace(*state.world);
    state.reach->prepare();
  });
  state.timed("crowds", [&] {
    state.crowd.emplace(*state.world, *state.reach, state.pairs);
    orderMeetings(*state.world, *state.crowd, *state.reach, state.pairs);
  });
}

RaceEngine::~RaceEngine() = default;

static bool isInLibrary(const World &world, const Candidate &candidate) {
  auto is = [&](const Leaf &leaf) {
    return (world.environment.program.function(leaf.steps.back().function).flags & model::kLibrary) != 0;
  };
  return is(candidate.a) || is(candidate.b);
}

// No key of a variable.
static std::optional<VariableKey> copyOf(const World &world, const Candidate &candidate) {
  const Entry &second = world.entryOf(world.accesses[candidate.pair->b]); // see RacePair
  if (!world.environment.fields.isSpan(second.field)) return std::nullopt;
  return VariableKey(UINT32_MAX - candidate.b.unit.value(), candidate.b.site.value(), 0);
}

static finding::Finding findingOf(const World &world, const Beliefs &beliefs, const Crowd &crowd, Reach &reach,
                                  const Judged &judged) {
  finding::Finding finding = describe(world, beliefs, *judged.candidate);
  finding.demotions = judged.demotions;
  if (judged.others != 0)
    finding.why += "; " + std::to_string(judged.others) + " more pairs of accesses on these lines";
  finding.score = scoreOf(world, beliefs, crowd, reach, *judged.candidate, finding);
  return finding;
}

// Of two threads; others may meet at the same places.
static bool isOfThreads(const finding::Demotion &demotion) {
  return demotion.reason == "ordered-by-signal" || demotion.reason == "likely-joined" ||
         demotion.reason == "task-of-future";
}

// What speaks against one meeting of two threads may not against that of two others.
static std::vector<finding::Demotion> demoteOrMeetOthers(const World &world, Reach &reach, Orders &orders,
                                                         Candidate &candidate) {
  std::vector<finding::Demotion> demotions = demotionsOf(world, reach, orders, candidate);
  if (!std::ranges::all_of(demotions, isOfThreads)) return demotions;
  const Meeting first = candidate.meeting;
  for (size_t i = 0; i < candidate.others.size() && !demotions.empty(); ++i) {
    candidate.meeting = candidate.others[i];
    if (demotionsOf(world, reach, orders, candidate).empty()) return {};
  }
  candidate.meeting = first;
  return demotions;
}

std::vector<finding::Finding> RaceEngine::findings() {
  World &world = *state_->world;
  Beliefs beliefs = state_->timed("beliefs", [&] { return Beliefs(world); });
  Reach &reach = *state_->reach;
  std::vector<Candidate> candidates =
      state_->timed("candidates", [&] { return candidatesOf(world, reach, state_->pairs, state_->dropped); });
  std::vector<Judged> judged(candidates.size());
  state_->timed("filters", [&] {
    // What they find out is remembered by each core for itself.
    oneapi::tbb::enumerable_thread_specific<Orders> orders([&] { return Orders(world, reach); });
    oneapi::tbb::parallel_for(size_t(0), candidates.size(), [&](size_t i) {
      judged[i] = {&candidates[i], variableOf(world, world.accesses[candidates[i].pair->a]),
                   demoteOrMeetOthers(world, reach, orders.local(), candidates[i])};
    });
  });
  judged = foldAlike(world, std::move(judged), state_->dropped);
  std::vector<Ranked> found(judged.size());
  state_->timed("descriptions", [&] {
    oneapi::tbb::parallel_for(size_t(0), judged.size(), [&](size_t i) {
      const Candidate &candidate = *judged[i].candidate;
      found[i] = {judged[i].variable, candidate.pair->isSameName, isInLibrary(world, candidate),
                  copyOf(world, candidate), findingOf(world, beliefs, *state_->crowd, reach, judged[i])};
    });
  });
  demoteWeak(found);
  spread(found);
  std::vector<finding::Finding> list;
  for (Ranked &one : found) list.push_back(std::move(one.finding));
  return list;
}

std::string RaceEngine::explain(link::FuncId function) const {
  return explainFunction(*state_->world, *state_->reach, function);
}

std::set<std::pair<link::UnitId, model::SiteId>> RaceEngine::guarded() const { return guardedSites(*state_->world); }

const std::vector<Stage> &RaceEngine::stages() const { return state_->stages; }

Counts RaceEngine::counts() const {
  Counts counts;
  for (const Summary &summary : state_->environment.summaries) {
    counts.functions += summary.ready;
    counts.entries += summary.entries.size();
    counts.folded += summary.folded;
  }
  counts.accesses = state_->world->accesses.size();
  counts.pairs = state_->pairs.size();
  counts.dropped = state_->dropped;
  return counts;
}

} // namespace deadheat::analyse
