#include "analyse/race/candidate.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <ranges>
#include <span>
#include <tuple>

#include "oneapi/tbb/enumerable_thread_specific.h"
#include "oneapi/tbb/parallel_for.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

#include "analyse/race/context.h"
#include "analyse/race/shown.h"
#include "analyse/race/unwinding.h"
#include "analyse/rank/belief.h"

namespace deadheat::analyse {

static constexpr size_t kMaxLeaves = 24;      // of one access
static constexpr size_t kMaxTwinLeaves = 192; // of all that it stands for
static constexpr size_t kPart = 4096;         // pairs that one core looks at in a row

namespace {

// Of the library's sites: with the user's line that led there, for each line may be about another object.
using SiteKey = std::tuple<link::UnitId, model::SiteId, link::FuncId, uint32_t>;
using Cost = std::tuple<Exclusion, bool, bool, bool, bool, size_t>; // of a candidate; less is better

struct PlacedLeaf {
  Leaf leaf;
  SiteKey key;
  bool isUnwinding = false;
  uint32_t number = 0; // among all leaves
  uint32_t place = 0;  // of the key, among all keys in their order
};

SiteKey keyOf(const link::Program &program, const Leaf &leaf) {
  Shown shown = shownAt(program, leaf);
  if (!shown.isWithinLibrary) return {leaf.unit, leaf.site, {}, 0};
  return {leaf.unit, leaf.site, shown.function, shown.line};
}

// Where all accesses of the pairs are.
class Leaves {
public:
  // Each access is apart from the others.
  Leaves(const World &world, const std::vector<RacePair> &pairs) : world_(world), found_(world.accesses.size()) {
    std::vector<uint32_t> accesses;
    for (const RacePair &pair : pairs) accesses.insert(accesses.end(), {pair.a, pair.b});
    std::ranges::sort(accesses);
    accesses.erase(std::ranges::unique(accesses).begin(), accesses.end());
    oneapi::tbb::enumerable_thread_specific<Unwinding> unwinding([&] { return Unwinding(world_.environment.program); });
    oneapi::tbb::parallel_for(size_t(0), accesses.size(), [&](size_t i) {
      found_[accesses[i]] = foundOf(world_.twins[accesses[i]], unwinding.local());
    });
    number(accesses);
  }

  std::span<const PlacedLeaf> of(uint32_t access) const { return found_[access].leaves; }
  uint64_t unseen() const { return unseen_; }

private:
  struct FoundLeaves {
    std::vector<PlacedLeaf> leaves;
    uint64_t unseen = 0; // twins beyond the bound
  };

  FoundLeaves foundOf(const std::vector<uint32_t> &twins, Unwinding &unwinding) const {
    FoundLeaves found;
    size_t each = std::clamp<size_t>(kMaxTwinLeaves / std::max<size_t>(twins.size(), 1), 1, kMaxLeaves);
    for (uint32_t twin : twins)
      if (found.leaves.size() < kMaxTwinLeaves)
        for (Leaf &leaf : leavesOf(world_, world_.accesses[twin], each))
          found.leaves.push_back(placed(std::move(leaf), unwinding));
      else
        ++found.unseen;
    return found;
  }

  PlacedLeaf placed(Leaf leaf, Unwinding &unwinding) const {
    bool isUnwinding = std::ranges::any_of(
        leaf.steps, [&](const Step &step) { return unwinding.isInCleanUp(step.function, step.statement); });
    SiteKey key = keyOf(world_.environment.program, leaf);
    return {std::move(leaf), key, isUnwinding};
  }

  // Pairs of places are asked for millions of times: numbers are compared, not keys.
  void number(const std::vector<uint32_t> &accesses) {
    std::vector<SiteKey> keys;
    uint32_t count = 0;
    for (uint32_t access : accesses) {
      unseen_ += found_[access].unseen;
      for (PlacedLeaf &leaf : found_[access].leaves) {
        leaf.number = count++;
        keys.push_back(leaf.key);
      }
    }
    std::ranges::sort(keys);
    keys.erase(std::ranges::unique(keys).begin(), keys.end());
    oneapi::tbb::parallel_for(size_t(0), accesses.size(), [&](size_t i) {
      for (PlacedLeaf &leaf : found_[accesses[i]].leaves)
        leaf.place = static_cast<uint32_t>(std::ranges::lower_bound(keys, leaf.key) - keys.begin());
    });
  }

  const World &world_;
  std::vector<FoundLeaves> found_; // [access]
  uint64_t unseen_ = 0;
};

// Which threads get to a leaf, and are live there. By one core: what it has found out is its own.
class Presence {
public:
  Presence(World &world, Reach &reach, std::mutex &live)
      : world_(world), reach_(reach), crewNumber_(world.crewOf.size()), live_(live) {
    uint32_t number = 0;
    for (const auto &[first, crew] : world.crews) crewNumber_[first.value()] = number++;
  }

  // The first that can be there, at both leaves.
  std::optional<Meeting> meetingAt(const RacePair &pair, const PlacedLeaf &a, const PlacedLeaf &b, bool isToBeLikely) {
    LastLive lastA, lastB;
    auto found = std::ranges::find_if(pair.meetings, [&](const Met &met) {
      return canMeet(meetingOf(world_, pair, met), a, b, lastA, lastB, isToBeLikely);
    });
    return found == pair.meetings.end() ? std::nullopt : std::optional(meetingOf(world_, pair, *found));
  }

  // Of other threads than those of the first, which get there as easily.
  std::vector<Meeting> othersAt(const RacePair &pair, const PlacedLeaf &a, const PlacedLeaf &b, const Meeting &first) {
    std::vector<Meeting> others;
    auto threadsOf = [](const Meeting &meeting) { return std::pair(meeting.a.thread, meeting.b.thread); };
    auto costTo = [&](const Meeting &meeting) {
      auto cost = [&](const Performer &performer, uint32_t access) {
        return costOf(reach_.to(performer.thread, world_.accesses[access].function));
      };
      return cost(meeting.a, pair.a) + cost(meeting.b, pair.b);
    };
    const double most = costTo(first);
    LastLive lastA, lastB;
    for (const Met &met : pair.meetings) {
      if (others.size() == kMaxOthers || met.exclusion != first.exclusion) break;
      const Meeting meeting = meetingOf(world_, pair, met);
      if (threadsOf(meeting) == threadsOf(first) ||
          std::ranges::find(others, threadsOf(meeting), threadsOf) != others.end() || costTo(meeting) > most)
        continue;
      if (canMeet(meeting, a, b, lastA, lastB, true)) others.push_back(meeting);
    }
    return others;
  }

private:
  // Most performers of an access were entered with the same threads as the one before.
  struct LastLive {
    uint32_t onEntry = UINT32_MAX;
    uint32_t atLeaf = UINT32_MAX;
  };

  bool canMeet(const Meeting &meeting, const PlacedLeaf &a, const PlacedLeaf &b, LastLive &lastA, LastLive &lastB,
               bool isToBeLikely) {
    return isOnWay(meeting.a.thread, a) && isOnWay(meeting.b.thread, b) &&
           mayBeLive(meeting.b.thread, meeting.a, a, lastA) && mayBeLive(meeting.a.thread, meeting.b, b, lastB) &&
           (!isToBeLikely || (isLikely(meeting.a.thread, a) && isLikely(meeting.b.thread, b)));
  }

  bool isLikely(link::ThreadId thread, const PlacedLeaf &leaf) {
    auto [known, isNew] = isLikely_.try_emplace({leaf.number, thread.value()}, false);
    if (isNew) known->second = reach_.knownAt(thread, leaf.leaf.steps).has_value();
    return known->second;
  }

  // Asked for again with each pair of the leaf: what was found out is kept, of as many crews as there are bits.
  bool isOnWay(link::ThreadId thread, const PlacedLeaf &leaf) {
    if (leaf.leaf.settledAt == 0 && leaf.leaf.steps.size() < 2) return true;
    const uint32_t number = crewNumber_[thread.value()];
    if (number >= 64) return isOnWay(world_.crews.at(thread), leaf.leaf);
    if (leaf.number >= onWay_.size()) onWay_.resize(leaf.number + 1);
    OnWay &known = onWay_[leaf.number];
    const uint64_t bit = uint64_t(1) << number;
    if ((known.asked & bit) == 0 && isOnWay(world_.crews.at(thread), leaf.leaf)) known.yes |= bit;
    known.asked |= bit;
    return (known.yes & bit) != 0;
  }

  bool isOnWay(const std::vector<link::ThreadId> &crew, const Leaf &leaf) const {
    return std::ranges::all_of(leaf.steps, [&](const Step &step) {
      auto executing = world_.environment.program.threads.executing[step.function];
      return std::ranges::any_of(crew, [&](link::ThreadId id) { return std::ranges::binary_search(executing, id); });
    });
  }

  // `other` is live while `performer` is there, unless it is one that the performer has not started yet, or joined.
  bool mayBeLive(link::ThreadId other, const Performer &performer, const PlacedLeaf &leaf, LastLive &last) {
    const Step &access = leaf.leaf.steps.back();
    for (link::ThreadId thread : {other, performer.thread})
      if (world_.environment.program.threads.isStartedLater(thread, access.function, access.statement)) return false;
    if (other == performer.thread || !world_.isFollowed(performer.thread, other)) return true;
    if (last.onEntry != performer.live) last = {performer.live, liveAtLeaf(leaf, performer.live)};
    return liveIn(last.atLeaf).test(other.value());
  }

  // A set as bits, which are asked for millions of times.
  const llvm::BitVector &liveIn(uint32_t set) {
    if (set >= isLive_.size()) isLive_.resize(set + 1);
    llvm::BitVector &bits = isLive_[set];
    if (!bits.empty()) return bits;
    bits.resize(static_cast<unsigned>(world_.environment.program.threads.list.size()));
    std::scoped_lock hold(live_);
    for (link::ThreadId thread : world_.liveSets[set]) bits.set(thread.value());
    return bits;
  }

  // Each function on the way starts and joins what it does before it calls the next.
  uint32_t liveAtLeaf(const PlacedLeaf &placed, uint32_t onEntry) {
    auto [known, isNew] = atLeaf_.try_emplace({placed.number, onEntry}, onEntry);
    if (!isNew) return known->second;
    std::scoped_lock hold(live_);
    for (const Step &step : placed.leaf.steps | std::views::drop(placed.leaf.settledAt))
      known->second = liveAt(world_, step.function, step.statement, known->second);
    return known->second;
  }

  struct OnWay { // a bit for each crew
    uint64_t asked = 0;
    uint64_t yes = 0;
  };

  World &world_;
  Reach &reach_;
  std::vector<uint32_t> crewNumber_;                               // [first of a crew]
  std::vector<OnWay> onWay_;                                       // [leaf]
  std::mutex &live_;                                               // of World::liveSets and how they follow each other
  std::vector<llvm::BitVector> isLive_;                            // [of World::liveSets][thread], as far as asked for
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, bool> isLikely_;   // leaf, thread: it gets there
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, uint32_t> atLeaf_; // leaf, of World::liveSets when its outermost
                                                                   // function was entered: of the same, at the leaf
};

// The best candidates of some pairs.
class Chooser {
public:
  struct Best {
    Cost cost;
    const RacePair *pair = nullptr;
    const PlacedLeaf *a = nullptr;
    const PlacedLeaf *b = nullptr;
    Meeting meeting = {};
    bool isContradicted = false;

    Candidate candidate() const {
      return {pair, a->leaf, b->leaf, meeting, {}, a->isUnwinding || b->isUnwinding, isContradicted};
    }
  };
  using All = llvm::DenseMap<std::pair<uint32_t, uint32_t>, Best>; // by places

  Chooser(const World &world, Presence &presence) : world_(world), presence_(presence) {}

  void add(const RacePair &pair, std::span<const PlacedLeaf> as, std::span<const PlacedLeaf> bs) {
    const AccessTraits &traitsA = world_.entryOf(world_.accesses[pair.a]).traits;
    const AccessTraits &traitsB = world_.entryOf(world_.accesses[pair.b]).traits;
    isDoubted_ = traitsA.unshared || traitsB.unshared || traitsA.lockLeftOut || traitsB.lockLeftOut;
    for (const PlacedLeaf &a : as)
      for (const PlacedLeaf &b : bs)
        if (pair.a != pair.b || a.place <= b.place) add(pair, a, b);
  }

  // Of equal ones, those that are there first stay.
  static void join(All &all, All more) {
    for (auto &[places, best] : more) {
      auto [known, isNew] = all.try_emplace(places, best);
      if (!isNew && best.cost < known->second.cost) known->second = best;
    }
  }

  All best;

private:
  void add(const RacePair &pair, const PlacedLeaf &a, const PlacedLeaf &b) {
    Cost least = costOf(pair, pair.meetings[0].exclusion, false, a, b);
    auto place = best.find(std::minmax(a.place, b.place));
    if (place != best.end() && place->second.cost <= least) return;
    std::optional<Meeting> meeting = presence_.meetingAt(pair, a, b, true);
    bool isContradicted = !meeting;
    if (!meeting) meeting = presence_.meetingAt(pair, a, b, false);
    if (!meeting) return;
    Cost cost = costOf(pair, meeting->exclusion, isContradicted, a, b);
    if (place != best.end() && place->second.cost <= cost) return;
    best.insert_or_assign(std::minmax(a.place, b.place), Best{cost, &pair, &a, &b, *meeting, isContradicted});
  }

  Cost costOf(const RacePair &pair, Exclusion exclusion, bool isContradicted, const PlacedLeaf &a,
              const PlacedLeaf &b) const {
    return {exclusion,  isContradicted,   a.isUnwinding || b.isUnwinding,
            isDoubted_, !pair.isSameName, a.leaf.steps.size() + b.leaf.steps.size()};
  }

  const World &world_;
  Presence &presence_;
  bool isDoubted_ = false; // the pair that is looked at
};

// Pairs of which all statements are looked at, and not the first of each side alone.
std::vector<bool> withinBound(const World &world, const Leaves &leaves, const std::vector<RacePair> &pairs,
                              uint64_t &unseen) {
  std::vector<bool> isWhole(pairs.size());
  std::map<VariableKey, uint64_t> looks;
  for (size_t i = 0; i < pairs.size(); ++i) {
    const size_t all = leaves.of(pairs[i].a).size() * leaves.of(pairs[i].b).size();
    if (all == 0) continue;
    uint64_t &count = looks[variableOf(world, world.accesses[pairs[i].a])];
    isWhole[i] = count + all <= kMaxLooks;
    if (!isWhole[i]) unseen += all - 1;
    count += isWhole[i] ? all : 1;
  }
  return isWhole;
}

using Presences = oneapi::tbb::enumerable_thread_specific<Presence>;

std::vector<Candidate> inOrder(const Chooser::All &best, Presences &presence) {
  std::vector<std::pair<std::pair<uint32_t, uint32_t>, const Chooser::Best *>> order;
  for (const auto &[places, one] : best) order.push_back({places, &one});
  std::ranges::sort(order);
  std::vector<Candidate> all(order.size());
  oneapi::tbb::parallel_for(size_t(0), order.size(), [&](size_t i) {
    const Chooser::Best &one = *order[i].second;
    all[i] = one.candidate();
    if (!one.isContradicted) all[i].others = presence.local().othersAt(*one.pair, *one.a, *one.b, one.meeting);
  });
  return all;
}

} // namespace

// The same parts on any number of cores, joined in their order.
std::vector<Candidate> candidatesOf(World &world, Reach &reach, const std::vector<RacePair> &pairs, uint64_t &unseen) {
  const Leaves leaves(world, pairs);
  unseen += leaves.unseen();
  const std::vector<bool> isWhole = withinBound(world, leaves, pairs, unseen);
  std::mutex live;
  Presences presence([&] { return Presence(world, reach, live); });
  std::vector<Chooser::All> parts((pairs.size() + kPart - 1) / kPart);
  oneapi::tbb::parallel_for(size_t(0), parts.size(), [&](size_t part) {
    Chooser chooser(world, presence.local());
    for (size_t i = part * kPart; i < std::min((part + 1) * kPart, pairs.size()); ++i) {
      std::span as = leaves.of(pairs[i].a), bs = leaves.of(pairs[i].b);
      if (!as.empty() && !bs.empty())
        chooser.add(pairs[i], isWhole[i] ? as : as.first(1), isWhole[i] ? bs : bs.first(1));
    }
    parts[part] = std::move(chooser.best);
  });
  Chooser::All best;
  for (Chooser::All &part : parts) Chooser::join(best, std::move(part));
  return inOrder(best, presence);
}

} // namespace deadheat::analyse
