#include "analyse/race/candidate.h"

#include <algorithm>
#include <map>
#include <optional>
#include <ranges>
#include <span>
#include <tuple>

#include "oneapi/tbb/parallel_for.h"

#include "analyse/race/context.h"
#include "analyse/race/shown.h"
#include "analyse/race/unwinding.h"
#include "analyse/rank/belief.h"
#include "link/followed.h"

namespace deadheat::analyse {

static constexpr size_t kMaxLeaves = 24;      // of one access
static constexpr size_t kMaxTwinLeaves = 192; // of all that it stands for

namespace {

// Of the library's sites: with the user's line that led there, for each line may be about another object.
using SiteKey = std::tuple<link::UnitId, model::SiteId, link::FuncId, uint32_t>;
using Cost = std::tuple<Exclusion, bool, bool, bool, bool, size_t>; // of a candidate; less is better

// A leaf, and which threads are live there for each set that was live when its outermost function was entered.
struct PlacedLeaf {
  Leaf leaf;
  SiteKey key;
  bool isUnwinding = false;
  std::map<uint32_t, uint32_t> live = {};
  std::map<link::ThreadId, bool> isLikely = {}; // that the thread gets there
};

SiteKey keyOf(const link::Program &program, const Leaf &leaf) {
  Shown shown = shownAt(program, leaf);
  if (!shown.isWithinLibrary) return {leaf.unit, leaf.site, {}, 0};
  return {leaf.unit, leaf.site, shown.function, shown.line};
}

class Chooser {
public:
  Chooser(World &world, Reach &reach)
      : world_(world), reach_(reach), leaves_(world.accesses.size()), unwinding_(world.environment.program) {}

  // Where all accesses of the pairs are: most of the work is there, and each is apart from the others.
  void findLeaves(const std::vector<RacePair> &pairs) {
    std::vector<uint32_t> accesses;
    for (const RacePair &pair : pairs) accesses.insert(accesses.end(), {pair.a, pair.b});
    std::ranges::sort(accesses);
    accesses.erase(std::ranges::unique(accesses).begin(), accesses.end());
    found_.resize(world_.accesses.size());
    oneapi::tbb::parallel_for(size_t(0), accesses.size(),
                              [&](size_t i) { found_[accesses[i]] = foundOf(world_.twins[accesses[i]]); });
  }

  void add(const RacePair &pair) {
    std::span<PlacedLeaf> as = leavesOfAccess(pair.a);
    std::span<PlacedLeaf> bs = leavesOfAccess(pair.b);
    uint64_t &looks = looks_[variableOf(world_, world_.accesses[pair.a])];
    if (as.empty() || bs.empty()) return;
    if (looks + as.size() * bs.size() > kMaxLooks) {
      unseen_ += as.size() * bs.size() - 1;
      as = as.first(1);
      bs = bs.first(1);
    }
    looks += as.size() * bs.size();
    for (PlacedLeaf &a : as)
      for (PlacedLeaf &b : bs)
        if (pair.a != pair.b || a.key <= b.key) add(pair, a, b);
  }

  uint64_t unseen() const { return unseen_; }

  std::vector<Candidate> finish() {
    std::vector<Candidate> all;
    for (auto &[key, candidate] : best_) all.push_back(std::move(candidate.second));
    return all;
  }

private:
  struct FoundLeaves {
    std::vector<Leaf> leaves;
    uint64_t unseen = 0; // twins beyond the bound
  };

  FoundLeaves foundOf(const std::vector<uint32_t> &twins) const {
    FoundLeaves found;
    size_t each = std::clamp<size_t>(kMaxTwinLeaves / std::max<size_t>(twins.size(), 1), 1, kMaxLeaves);
    for (uint32_t twin : twins)
      if (found.leaves.size() < kMaxTwinLeaves)
        std::ranges::move(leavesOf(world_, world_.accesses[twin], each), std::back_inserter(found.leaves));
      else
        ++found.unseen;
    return found;
  }

  std::span<PlacedLeaf> leavesOfAccess(uint32_t access) {
    std::optional<std::vector<PlacedLeaf>> &known = leaves_[access];
    if (known) return *known;
    known.emplace();
    unseen_ += found_[access].unseen;
    for (Leaf &leaf : found_[access].leaves) {
      bool isUnwinding = std::ranges::any_of(
          leaf.steps, [&](const Step &step) { return unwinding_.isInCleanUp(step.function, step.statement); });
      SiteKey key = keyOf(world_.environment.program, leaf);
      known->push_back({std::move(leaf), key, isUnwinding});
    }
    return *known;
  }

  void add(const RacePair &pair, PlacedLeaf &a, PlacedLeaf &b) {
    Cost least = costOf(pair, pair.meetings[0].exclusion, false, a, b);
    auto place = best_.find(std::minmax(a.key, b.key));
    if (place != best_.end() && place->second.first <= least) return;
    std::optional<Meeting> meeting = meetingAt(pair, a, b, true);
    bool isContradicted = !meeting;
    if (!meeting) meeting = meetingAt(pair, a, b, false);
    if (!meeting) return;
    Cost cost = costOf(pair, meeting->exclusion, isContradicted, a, b);
    if (place != best_.end() && place->second.first <= cost) return;
    bool isUnwinding = a.isUnwinding || b.isUnwinding;
    best_.insert_or_assign(std::minmax(a.key, b.key),
                           std::pair(cost, Candidate{&pair, a.leaf, b.leaf, *meeting, isUnwinding, isContradicted}));
  }

  Cost costOf(const RacePair &pair, Exclusion exclusion, bool isContradicted, const PlacedLeaf &a,
              const PlacedLeaf &b) const {
    const AccessTraits &traitsA = world_.entryOf(world_.accesses[pair.a]).traits;
    const AccessTraits &traitsB = world_.entryOf(world_.accesses[pair.b]).traits;
    bool isDoubted = traitsA.unshared || traitsB.unshared || traitsA.lockLeftOut || traitsB.lockLeftOut;
    return {exclusion, isContradicted,   a.isUnwinding || b.isUnwinding,
            isDoubted, !pair.isSameName, a.leaf.steps.size() + b.leaf.steps.size()};
  }

  std::optional<Meeting> meetingAt(const RacePair &pair, PlacedLeaf &a, PlacedLeaf &b, bool isToBeLikely) {
    auto found = std::ranges::find_if(pair.meetings, [&](const Met &met) {
      const Meeting meeting = meetingOf(world_, pair, met);
      return isOnWay(meeting.a.thread, a.leaf) && isOnWay(meeting.b.thread, b.leaf) &&
             mayBeLive(meeting.b.thread, meeting.a, a) && mayBeLive(meeting.a.thread, meeting.b, b) &&
             (!isToBeLikely || (isLikely(meeting.a.thread, a) && isLikely(meeting.b.thread, b)));
    });
    return found == pair.meetings.end() ? std::nullopt : std::optional(meetingOf(world_, pair, *found));
  }

  bool isLikely(link::ThreadId thread, PlacedLeaf &leaf) {
    auto [known, isNew] = leaf.isLikely.try_emplace(thread, false);
    if (isNew) known->second = reach_.knownAt(thread, leaf.leaf.steps).has_value();
    return known->second;
  }

  bool isOnWay(link::ThreadId thread, const Leaf &leaf) const {
    if (leaf.settledAt == 0) return true;
    return std::ranges::binary_search(world_.environment.program.threads.executing[leaf.steps[0].function], thread);
  }

  // `other` is live while `performer` is there, unless it is one that the performer has not started yet, or joined.
  bool mayBeLive(link::ThreadId other, const Performer &performer, PlacedLeaf &leaf) {
    const Step &access = leaf.leaf.steps.back();
    for (link::ThreadId thread : {other, performer.thread})
      if (world_.environment.program.threads.isStartedLater(thread, access.function, access.statement)) return false;
    if (other == performer.thread || !link::isFollowed(world_.environment.program.threads, performer.thread, other))
      return true;
    return std::ranges::binary_search(world_.liveSets[liveAtLeaf(leaf, performer.live)], other);
  }

  // Each function on the way starts and joins what it does before it calls the next.
  uint32_t liveAtLeaf(PlacedLeaf &placed, uint32_t onEntry) {
    auto [known, isNew] = placed.live.try_emplace(onEntry, onEntry);
    if (isNew)
      for (const Step &step : placed.leaf.steps | std::views::drop(placed.leaf.settledAt))
        known->second = liveAt(world_, step.function, step.statement, known->second);
    return known->second;
  }

  World &world_;
  Reach &reach_;
  std::vector<FoundLeaves> found_;                             // [access]
  std::vector<std::optional<std::vector<PlacedLeaf>>> leaves_; // [access]: of those that were asked for
  std::map<VariableKey, uint64_t> looks_;
  uint64_t unseen_ = 0;
  Unwinding unwinding_;
  std::map<std::pair<SiteKey, SiteKey>, std::pair<Cost, Candidate>> best_;
};

} // namespace

std::vector<Candidate> candidatesOf(World &world, Reach &reach, const std::vector<RacePair> &pairs, uint64_t &unseen) {
  Chooser chooser(world, reach);
  chooser.findLeaves(pairs);
  for (const RacePair &pair : pairs) chooser.add(pair);
  unseen += chooser.unseen();
  return chooser.finish();
}

} // namespace deadheat::analyse
