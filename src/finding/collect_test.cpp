#include "finding/collect.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "finding/random_finding.h"

namespace deadheat::finding {
namespace {

Access access(const char *file, uint32_t line, const char *function, const char *site) {
  return {.place = {file, line, 3}, .function = function, .access = "write", .site = site};
}

Finding race(uint32_t firstLine, uint32_t secondLine) {
  Finding finding;
  finding.accesses = {access("src/a.c", firstLine, "f", "a.c:f:write:x"),
                      access("src/b.c", secondLine, "g", "b.c:g:read:x")};
  return finding;
}

Finding collected(Finding finding) {
  std::vector<Finding> list = {std::move(finding)};
  collect(list);
  return list.front();
}

TEST(Fingerprint, IsTheSameWhenLinesMove) { EXPECT_EQ(collected(race(5, 9)).id, collected(race(50, 90)).id); }

TEST(Fingerprint, IsTheSameWhenTheSourceTreeMoves) {
  Finding elsewhere = race(5, 9);
  elsewhere.accesses[0].place.file = "/tmp/build/a.c";
  EXPECT_EQ(fingerprint(elsewhere), fingerprint(race(5, 9)));
}

TEST(Fingerprint, IsTheSameForBothOrdersOfAPair) {
  Finding swapped = race(5, 9);
  std::swap(swapped.accesses[0], swapped.accesses[1]);
  EXPECT_EQ(collected(swapped).id, collected(race(5, 9)).id);
}

TEST(Fingerprint, IsTheSameForEveryBeginningOfACycle) {
  Finding cycle;
  cycle.kind = Kind::Deadlock;
  for (const char *name : {"f", "g", "h"})
    cycle.cycle.push_back({.holds = name, .place = {"a.c", 4, 1}, .function = name, .site = name});
  Finding first = collected(cycle);
  std::ranges::rotate(cycle.cycle, cycle.cycle.begin() + 1);
  EXPECT_EQ(collected(cycle), first);
  EXPECT_EQ(first.id.substr(0, 2), "D-");
}

TEST(Fingerprint, DiffersWithKindFunctionFileAndSite) {
  std::vector<uint64_t> prints = {fingerprint(race(5, 9))};
  Finding other = race(5, 9);
  other.kind = Kind::LockLeak;
  prints.push_back(fingerprint(other));
  other = race(5, 9);
  other.accesses[0].function = "h";
  prints.push_back(fingerprint(other));
  other = race(5, 9);
  other.accesses[0].place.file = "src/c.c";
  prints.push_back(fingerprint(other));
  other = race(5, 9);
  other.accesses[0].site += "#2";
  prints.push_back(fingerprint(other));
  std::ranges::sort(prints);
  EXPECT_TRUE(std::ranges::adjacent_find(prints) == prints.end());
}

TEST(Fingerprint, IsAsItWasInThePast) { EXPECT_EQ(collected(race(5, 9)).id, "R-1b47de0a86ac51e5"); }

TEST(Collect, TellsEqualFindingsAtDifferentPlacesApartByTheirOrder) {
  std::vector<Finding> list = {race(30, 9), race(5, 9)};
  collect(list);
  ASSERT_EQ(list.size(), 2u);
  auto at = [&](uint32_t line) {
    return std::ranges::find_if(list, [&](const Finding &each) { return each.accesses[0].place.line == line; })->id;
  };
  EXPECT_NE(at(5), at(30));
  EXPECT_EQ(at(5), collected(race(5, 9)).id);
}

Finding onOneLine(uint32_t column, const char *access) {
  Finding finding = race(5, 9);
  finding.accesses[0].place.column = column;
  finding.accesses[0].access = access;
  finding.accesses[0].site = std::string("a.c:f:") + access + ":x";
  for (Access &each : finding.accesses) each.spot = each.function + ":x";
  return finding;
}

TEST(Collect, JoinsAllThatALineDoesToAVariable) {
  std::vector<Finding> list = {onOneLine(3, "write"), onOneLine(7, "read")};
  collect(list);
  EXPECT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].id, collected(onOneLine(3, "write")).id);
}

TEST(Recognise, KeepsAnIdOfBeforeLinesHadNames) {
  Finding now = race(5, 9);
  for (Access &each : now.accesses) each.spot = each.function + ":x";
  std::vector<Finding> known = {collected(race(5, 9))}, list = {now};
  recognise(list, known);
  EXPECT_EQ(list[0].id, known[0].id);
}

TEST(Merge, KeepsThePlaceOfAnotherAccessOfTheLine) {
  Finding known = onOneLine(3, "write");
  known.level = Level::Observed;
  known.accesses[0].stack = {{"f", known.accesses[0].place}};
  Finding later = onOneLine(7, "read");
  merge(known, later);
  EXPECT_EQ(known.accesses[0].place.column, 3u);
  EXPECT_EQ(known.accesses[0].stack.size(), 1u);
  later.accesses[0].place.line = 6;
  merge(known, later);
  EXPECT_EQ(known.accesses[0].place, later.accesses[0].place);
  EXPECT_TRUE(known.accesses[0].stack.empty());
}

TEST(Collect, LeavesAnIdAsItIs) {
  std::vector<Finding> all = {race(5, 9), race(30, 9)};
  collect(all);
  for (const Finding &finding : all) EXPECT_EQ(collected(finding).id, finding.id);
}

TEST(Collect, GivesNoIdTwice) {
  Finding second = race(30, 9);
  second.id = collected(race(5, 9)).id;
  std::vector<Finding> list = {second, race(5, 9)};
  collect(list);
  ASSERT_EQ(list.size(), 2u);
  EXPECT_NE(list[0].id, list[1].id);
}

TEST(Recognise, GivesTheSecondOfTwoEqualFindingsItsOwnIdWhenItIsSeenAlone) {
  std::vector<Finding> known = {race(5, 9), race(30, 9)};
  collect(known);
  for (uint32_t line : {5, 30}) {
    std::vector<Finding> alone = {race(line, 9)};
    recognise(alone, known);
    collect(alone);
    auto before = std::ranges::find_if(known, [&](const Finding &each) { return each.accesses[0].place.line == line; });
    EXPECT_EQ(alone[0].id, before->id);
  }
}

TEST(Collect, LeavesASettledFindingAsItIsWhenTheSameComesAgain) {
  for (uint32_t seed = 1; seed != 30; ++seed) {
    std::vector<Finding> list = randomFindings(seed).list;
    collect(list);
    for (const Finding &finding : list) {
      Finding known = finding;
      update(known, finding);
      if (isSettled(finding)) EXPECT_EQ(known, finding) << "seed " << seed;
    }
  }
  Finding twice = race(5, 9);
  twice.evidence = {{.hits = 3}, {.hits = 4}};
  EXPECT_FALSE(isSettled(twice));
  twice.evidence.pop_back();
  EXPECT_TRUE(isSettled(twice));
}

TEST(Collect, MergesFindingsAboutTheSamePlaces) {
  Finding seen = race(5, 9);
  seen.level = Level::Observed;
  seen.votes = {"happens-before"};
  seen.evidence = {{.level = Level::Observed, .hits = 3}};
  Finding possible = race(5, 9);
  possible.votes = {"relay"};
  possible.why = "no common lock";
  std::vector<Finding> list = {possible, seen};
  collect(list);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].level, Level::Observed);
  EXPECT_EQ(list[0].votes, (std::vector<std::string>{"happens-before", "relay"}));
  EXPECT_EQ(list[0].evidence.size(), 1u);
  EXPECT_EQ(list[0].why, "no common lock");
}

TEST(Collect, RanksByScoreThenById) {
  std::vector<Finding> list = {race(5, 9), race(30, 9), race(40, 9)};
  list[1].score = 7;
  collect(list);
  EXPECT_EQ(list[0].accesses[0].place.line, 30u);
  EXPECT_LT(list[1].id, list[2].id);
  for (uint32_t rank = 1; const Finding &finding : list) EXPECT_EQ(finding.rank, rank++);
}

TEST(Collect, RanksWhatWasProvenAboveAnyScore) {
  std::vector<Finding> list = {race(5, 9), race(30, 9), race(40, 9)};
  list[0].score = 90;
  list[1].level = Level::Confirmed;
  list[2].level = Level::Harmful;
  collect(list);
  EXPECT_EQ(list[0].level, Level::Harmful);
  EXPECT_EQ(list[1].level, Level::Confirmed);
}

TEST(Collect, DoesNotDependOnTheOrderOfItsInput) {
  for (uint32_t seed = 1; seed != 50; ++seed) {
    std::vector<Finding> list = randomFindings(seed).list, reversed(list.rbegin(), list.rend());
    for (auto *each : {&list, &reversed})
      for (Finding &finding : *each) finding.evidence.clear();
    collect(list);
    collect(reversed);
    EXPECT_EQ(list, reversed) << "seed " << seed;
  }
}

TEST(Collect, ChangesNothingTheSecondTime) {
  std::vector<Finding> once = randomFindings(3).list;
  collect(once);
  std::vector<Finding> twice = once;
  collect(twice);
  EXPECT_EQ(once, twice);
}

TEST(Merge, NeverLowersALevel) {
  Finding known = race(5, 9), later = race(5, 9);
  known.level = Level::Confirmed;
  merge(known, later);
  EXPECT_EQ(known.level, Level::Confirmed);
}

TEST(Merge, LetsAnExecutionOutweighDoubtsAboutTheText) {
  Finding doubted = race(5, 9), seen = race(5, 9);
  doubted.demotions = {{"thread-local-allocation", "it looks private"}};
  seen.level = Level::Observed;
  merge(doubted, seen);
  EXPECT_FALSE(doubted.demoted());
}

TEST(Merge, UnitesDoubtsOfTheSameLevel) {
  Finding one = race(5, 9), two = race(5, 9);
  one.demotions = {{"initialisation", "before the first thread"}};
  two.demotions = {{"aliasing", "a large class"}, {"initialisation", "before the first thread"}};
  merge(one, two);
  EXPECT_EQ(one.demotions.size(), 2u);
}

TEST(Merge, KeepsOnlyTheLatestOfCountsThatWereTakenAgain) {
  Finding one = race(5, 9), two = race(5, 9);
  one.evidence = {{.level = Level::Observed, .by = "happens-before", .hits = 12}, {.level = Level::Possible}};
  two.evidence = {{.level = Level::Observed, .by = "happens-before", .hits = 7},
                  {.level = Level::Confirmed, .seed = 3}};
  merge(one, two);
  ASSERT_EQ(one.evidence.size(), 3u);
  EXPECT_EQ(one.evidence[0].hits, 7u);
}

TEST(Merge, PrefersTheLatestFactsOfALevel) {
  Finding one = race(5, 9), two = race(5, 9);
  one.accesses[0].locks = {"m"};
  merge(one, two);
  EXPECT_TRUE(one.accesses[0].locks.empty());
}

TEST(Update, EndsDoubtsThatAreNoLongerRaised) {
  Finding before = race(5, 9), now = race(5, 9);
  before.demotions = {{"aliasing", "a large class"}};
  update(before, now);
  EXPECT_FALSE(before.demoted());
}

TEST(Update, LetsNobodyWhoOnlyReadsTheTextEndTheDoubtsOfAnExecution) {
  Finding predicted = race(5, 9), read = race(5, 9);
  predicted.level = Level::Predicted;
  predicted.demotions = {{"aliasing", "a large class"}, {std::string(kHandedOver), "each time"}};
  update(predicted, read);
  ASSERT_EQ(predicted.demotions.size(), 1u);
  EXPECT_EQ(predicted.demotions[0].reason, kHandedOver);
}

TEST(Update, TakesTheScoreOfNowThoughItIsLower) {
  Finding before = race(5, 9), now = race(5, 9);
  before.score = 9.5;
  now.score = 2.5;
  update(before, now);
  EXPECT_EQ(before.score, 2.5);
}

TEST(Update, LetsNobodyWhoOnlyReadsTheTextRankAnObservationAnew) {
  Finding seen = race(5, 9), read = race(5, 9);
  seen.level = Level::Observed;
  seen.score = 8;
  read.score = 2.5;
  update(seen, read);
  EXPECT_EQ(seen.score, 8);
  EXPECT_EQ(seen.level, Level::Observed);
}

TEST(Update, LetsNobodyWhoOnlyReadsTheTextDoubtAnObservation) {
  Finding seen = race(5, 9), doubted = race(5, 9);
  seen.level = Level::Observed;
  doubted.demotions = {{"aliasing", "a large class"}};
  update(seen, doubted);
  EXPECT_FALSE(seen.demoted());
}

TEST(Merge, ForgetsWhyAFindingDidNotClimbOnceItDid) {
  Finding stuck = race(5, 9), seen = race(5, 9);
  stuck.notClimbed = NotClimbed{"never-executed", ""};
  seen.level = Level::Observed;
  merge(stuck, seen);
  EXPECT_FALSE(stuck.notClimbed);
}

TEST(Merge, FillsWhatTheStrongerFindingLacks) {
  Finding possible = race(5, 9), seen = race(5, 9);
  possible.accesses[0].createdAt = {"main.c", 12, 1};
  seen.level = Level::Observed;
  seen.accesses[0].stack = {{"f", {"src/a.c", 5, 3}}};
  merge(possible, seen);
  EXPECT_EQ(possible.accesses[0].createdAt.line, 12u);
  EXPECT_EQ(possible.accesses[0].stack.size(), 1u);
}

} // namespace
} // namespace deadheat::finding
