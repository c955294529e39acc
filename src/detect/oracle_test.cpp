#include "detect/oracle.h"

#include <gtest/gtest.h>

#include "detect/detector.h"
#include "detect/known_player.h"
#include "detect/shadow_player.h"

namespace deadheat::detect {
namespace {

struct Range {
  uint64_t begin, end;
  bool overlaps(const Range &other) const { return begin < other.end && other.begin < end; }
  bool contains(const Range &other) const { return begin <= other.begin && other.end <= end; }
};

// The accesses of a history, judged by definition.
class Judge {
public:
  Judge(const RandomHistory &history, OrderRules rules) : history_(history), oracle_(history, rules) {}

  bool isAccess(size_t at) const {
    return history_.events[at].kind == trace::Kind::Access || history_.events[at].kind == trace::Kind::Atomic;
  }
  Range range(size_t at) const {
    uint64_t begin = history_.events[at].address;
    return {begin, begin + history_.shapes[history_.events[at].access].bytes};
  }
  uint8_t touch(size_t at) const {
    uint8_t atomic = history_.events[at].kind == trace::Kind::Atomic ? kAtomic : 0;
    return atomic | (trace::writes(history_.forms[at]) && history_.events[at].succeeded ? kWrite : kRead);
  }
  bool race(size_t left, size_t right) const {
    return history_.events[left].thread != history_.events[right].thread && range(left).overlaps(range(right)) &&
           conflict(touch(left), touch(right)) && !oracle_.isBefore(left, right);
  }
  bool racesWithEarlier(size_t at) const {
    for (size_t earlier = 0; earlier != at; ++earlier)
      if (isAccess(earlier) && race(earlier, at)) return true;
    return false;
  }
  // The same thread did as much to some of the bytes since it last released anything: the first time counts.
  bool isRepeat(size_t at) const {
    for (size_t earlier = at; earlier-- != 0;) {
      if (history_.events[earlier].thread != history_.events[at].thread) continue;
      if (isAccess(earlier) && range(earlier).overlaps(range(at)) && covers(touch(earlier), touch(at))) return true;
      if (releases(earlier)) return false;
    }
    return false;
  }

private:
  bool releases(size_t at) const {
    const trace::Event &event = history_.events[at];
    bool ordered = event.order >= abi::Order::Release;
    if (event.kind == trace::Kind::Atomic) return ordered && (touch(at) & kWrite) != 0;
    if (event.kind == trace::Kind::Fence) return ordered;
    return event.kind == trace::Kind::Release || event.kind == trace::Kind::Spawn ||
           (event.kind == trace::Kind::Signal && event.sync != abi::SyncKind::Condition);
  }

  const RandomHistory &history_;
  Oracle oracle_;
};

Detection detect(const RandomHistory &history, DetectorOptions options = {}) {
  Detector detector(history.shapes, options);
  for (const trace::Event &event : history.events) detector.apply(event);
  return detector.finish();
}

// Positions of events from the ids of accesses.
std::set<std::pair<size_t, size_t>> pairs(const std::vector<Race> &races) {
  std::set<std::pair<size_t, size_t>> all;
  for (const Race &race : races) all.insert({race.earlier.access - 1, race.later.access - 1});
  return all;
}

TEST(HappensBefore, AgreesWithTheDefinitionOnRandomHistories) {
  uint64_t events = 0, racy = 0;
  for (uint64_t seed = 0; seed != 60'000; ++seed) {
    RandomHistory history = RandomHistoryMaker(seed, 20 + seed % 44).make();
    events += history.events.size();
    Judge judge(history, kHappensBefore);
    std::set<size_t> reported;
    for (auto [earlier, later] : pairs(detect(history, {.predict = false}).observed)) {
      ASSERT_TRUE(judge.race(earlier, later)) << "seed " << seed << ": " << earlier << " and " << later;
      reported.insert(later);
    }
    for (size_t at = 0; at != history.events.size(); ++at) {
      if (!judge.isAccess(at) || judge.isRepeat(at)) continue;
      ASSERT_EQ(reported.contains(at), judge.racesWithEarlier(at)) << "seed " << seed << ": event " << at;
    }
    racy += !reported.empty();
  }
  EXPECT_GT(events, 2'000'000u);
  EXPECT_GT(racy, 10'000u);
  EXPECT_LT(racy, 55'000u); // some histories are free of races, or nothing would be tested about silence
}

// Four cells forget, so some races of crowded bytes are missed; none is invented.
TEST(Pairs, OfCellsAreRacesByTheDefinitionAndFewAreMissed) {
  uint64_t racy = 0, found = 0, silent = 0;
  for (uint64_t seed = 0; seed != 20'000; ++seed) {
    RandomHistory history = RandomHistoryMaker(seed, 20 + seed % 44).make();
    Judge judge(history, kHappensBefore);
    Detector detector(history.shapes, {});
    for (const trace::Event &event : ShadowPlayer().play(history)) detector.apply(event);
    std::set<std::pair<size_t, size_t>> reported = pairs(detector.finish().observed);
    for (auto [earlier, later] : reported)
      ASSERT_TRUE(judge.race(earlier, later)) << "seed " << seed << ": " << earlier << " and " << later;
    bool races = false;
    for (size_t at = 0; at != history.events.size(); ++at) races |= judge.isAccess(at) && judge.racesWithEarlier(at);
    racy += races;
    found += !reported.empty();
    silent += !races;
  }
  EXPECT_GT(racy, 5'000u);
  EXPECT_GT(silent, 1'000u);
  EXPECT_GE(found * 1000, racy * 995);
}

// What a program keeps of its threads' knowledge may order a little more than there is; it never orders less.
TEST(Known, LearningOrdersWhatSynchronisationOrders) {
  uint64_t racy = 0, found = 0;
  for (uint64_t seed = 0; seed != 20'000; ++seed) {
    RandomHistory history = RandomHistoryMaker(seed, 20 + seed % 44).make();
    Judge judge(history, kHappensBefore);
    Detector detector(history.shapes, {.predict = false});
    for (const trace::Event &event : KnownPlayer(false).play(history)) detector.apply(event);
    std::set<size_t> reported;
    for (auto [earlier, later] : pairs(detector.finish().observed)) {
      ASSERT_TRUE(judge.race(earlier, later)) << "seed " << seed << ": " << earlier << " and " << later;
      reported.insert(later);
    }
    for (size_t at = 0; at != history.events.size(); ++at) {
      if (!judge.isAccess(at) || judge.isRepeat(at) || !judge.racesWithEarlier(at)) continue;
      ++racy;
      found += reported.contains(at);
    }
  }
  EXPECT_GT(racy, 20'000u);
  EXPECT_GE(found * 1000, racy * 995) << found << " of " << racy;
}

struct PassedOver {
  uint64_t operations = 0;
  uint64_t looks = 0; // that said that there is nothing to do
  uint64_t racy = 0;  // histories
  uint64_t found = 0;
};

// As above, between plain accesses, where atomic operations that change nothing are passed over.
PassedOver passOver(KnownPlayer::Gives gives) {
  PassedOver sum;
  for (uint64_t seed = 0; seed != 20'000; ++seed) {
    RandomHistory history = RandomHistoryMaker(seed, 20 + seed % 44).make();
    Judge judge(history, kHappensBefore);
    Detector detector(history.shapes, {.predict = false});
    KnownPlayer player(false, false, gives);
    for (const trace::Event &event : player.play(history)) detector.apply(event);
    sum.operations += player.passedOver();
    sum.looks += player.looks();
    EXPECT_EQ(player.wrongLooks(), 0u) << "seed " << seed;
    const Detection detection = detector.finish();
    for (auto [earlier, later] : pairs(detection.observed))
      EXPECT_TRUE(judge.race(earlier, later)) << "seed " << seed << ": " << earlier << " and " << later;
    auto isPlain = [&](size_t at) { return judge.isAccess(at) && history.events[at].kind != trace::Kind::Atomic; };
    bool races = false;
    for (size_t at = 0; at != history.events.size(); ++at)
      for (size_t earlier = 0; earlier != at && isPlain(at); ++earlier)
        races |= isPlain(earlier) && judge.race(earlier, at);
    sum.racy += races;
    sum.found += races && !detection.observed.empty();
  }
  return sum;
}

TEST(Known, OperationsThatChangeNothingMayBePassedOver) {
  const auto [operations, looks, racy, found] = passOver(KnownPlayer::Gives::InTime);
  EXPECT_GT(operations, 5'000u);
  EXPECT_GT(looks, 5'000u);
  EXPECT_GT(racy, 5'000u);
  EXPECT_GE(found * 1000, racy * 995) << found << " of " << racy;
}

TEST(Known, WhatIsGivenTooEarlyOrdersMoreAndNeverLess) {
  const auto [operations, looks, racy, found] = passOver(KnownPlayer::Gives::Early);
  EXPECT_GT(operations, 5'000u);
  EXPECT_GE(found * 1000, racy * 980) << found << " of " << racy;
}

// The locks that the thread of an event holds at it.
LockSet heldAt(const RandomHistory &history, size_t at) {
  LockSet held;
  for (size_t earlier = 0; earlier != at; ++earlier) {
    const trace::Event &event = history.events[earlier];
    if (event.thread != history.events[at].thread) continue;
    LockId lock(static_cast<uint32_t>(event.address));
    if (event.kind == trace::Kind::Acquire) held.push_back({lock, (event.flags & abi::kShared) != 0});
    if (event.kind == trace::Kind::Release) std::erase_if(held, [&](const HeldLock &row) { return row.lock == lock; });
  }
  return held;
}

bool protectedByOne(const LockSet &left, const LockSet &right) {
  for (const HeldLock &held : left)
    for (const HeldLock &other : right)
      if (held.lock == other.lock && !(held.shared && other.shared)) return true;
  return false;
}

TEST(Known, LearningFromLocksIsNoHardOrderAndFromMessagesIs) {
  uint64_t predicted = 0;
  for (uint64_t seed = 0; seed != 10'000; ++seed) {
    RandomHistory history = RandomHistoryMaker(seed, 20 + seed % 44).make();
    Judge judge(history, kHard);
    Detector detector(history.shapes, {});
    for (const trace::Event &event : KnownPlayer(true).play(history)) detector.apply(event);
    for (auto [earlier, later] : pairs(detector.finish().predicted)) {
      ++predicted;
      ASSERT_TRUE(judge.race(earlier, later)) << "seed " << seed << ": " << earlier << " and " << later;
      ASSERT_FALSE(protectedByOne(heldAt(history, earlier), heldAt(history, later))) << "seed " << seed;
    }
  }
  EXPECT_GT(predicted, 5'000u);
}

TEST(Hybrid, AgreesWithTheDefinitionOnRandomHistories) {
  uint64_t whole = 0, racy = 0;
  for (uint64_t seed = 0; seed != 20'000; ++seed) {
    RandomHistory history = RandomHistoryMaker(seed, 20 + seed % 44).make();
    Judge judge(history, kHard);
    Detection detection = detect(history);
    auto race = [&](size_t left, size_t right) {
      return judge.race(left, right) && !protectedByOne(heldAt(history, left), heldAt(history, right));
    };
    std::set<size_t> reported;
    for (auto [earlier, later] : pairs(detection.predicted)) {
      ASSERT_TRUE(race(earlier, later)) << "seed " << seed << ": " << earlier << " and " << later;
      reported.insert(later);
    }
    if (detection.counts.forgottenEntries != 0) continue;
    ++whole;
    for (size_t at = 0; at != history.events.size(); ++at) {
      bool expected = false;
      for (size_t earlier = 0; earlier != at && judge.isAccess(at); ++earlier)
        expected |= judge.isAccess(earlier) && race(earlier, at);
      ASSERT_EQ(reported.contains(at), expected) << "seed " << seed << ": event " << at;
    }
    racy += !reported.empty();
  }
  EXPECT_GT(whole, 15'000u);
  EXPECT_GT(racy, 5'000u);
}

auto facts(const std::vector<Race> &races) {
  std::vector<std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, uint64_t, uint64_t, uint64_t>> all;
  for (const Race &race : races)
    all.emplace_back(race.earlier.access, race.later.access, race.earlier.where.value(), race.later.where.value(),
                     race.address, race.sequence, race.count);
  return all;
}

TEST(Detector, FindsTheSameWithOneThreadAndWithMany) {
  RandomHistory history = RandomHistoryMaker(7, 300'000).make();
  ASSERT_EQ(history.events.size(), 300'000u);
  Detection one = detect(history, {.jobs = 1}), many = detect(history, {.jobs = 4});
  EXPECT_EQ(facts(one.observed), facts(many.observed));
  EXPECT_EQ(facts(one.predicted), facts(many.predicted));
  EXPECT_FALSE(one.observed.empty());
}

} // namespace
} // namespace deadheat::detect
