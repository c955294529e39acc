#include "finding/explain.h"

#include <gtest/gtest.h>

#include "finding/random_finding.h"

namespace deadheat::finding {
namespace {

Finding race(std::vector<std::string> first, std::vector<std::string> second) {
  Finding finding;
  finding.variable = "x->n";
  finding.accesses.resize(2);
  finding.accesses[0] = {.place = {"a.c", 5, 1}, .function = "f", .access = "read", .locks = std::move(first)};
  finding.accesses[1] = {.place = {"b.c", 9, 1}, .function = "g", .access = "write", .locks = std::move(second)};
  explain(finding);
  return finding;
}

TEST(Explain, NamesVariableAccessesAndFunctionsInTheTitle) {
  EXPECT_EQ(race({}, {}).title, "data race on x->n: read in f, write in g");
}

TEST(Explain, PrefersAPathWithNamesInTheTitle) {
  Finding finding = race({}, {});
  finding.title.clear();
  finding.variable = "x->@60";
  finding.accesses[1].path = "x->count";
  explain(finding);
  EXPECT_EQ(finding.title, "data race on x->count: read in f, write in g");
}

TEST(Explain, PointsToTheSideWithoutALock) {
  EXPECT_EQ(race({}, {"m"}).fix.substr(0, 20), "Hold m at a.c:5:1 to");
  EXPECT_EQ(race({"m"}, {}).fix.substr(0, 20), "Hold m at b.c:9:1 to");
}

TEST(Explain, SaysWhichLocksEachSideHolds) {
  EXPECT_EQ(race({}, {"m", "n"}).why, "No lock is held at both accesses: f holds no lock, g holds m and n.");
  EXPECT_EQ(race({}, {}).why, "No lock is held at either access.");
}

TEST(Explain, NamesEachLockAndFunctionOfACycleOnce) {
  Finding finding;
  finding.kind = Kind::Deadlock;
  finding.cycle.resize(2);
  for (CycleEdge &edge : finding.cycle) edge = {.holds = "from.lock", .wants = "to.lock", .function = "transfer"};
  explain(finding);
  EXPECT_EQ(finding.title, "deadlock on to.lock: in transfer");
  EXPECT_EQ(finding.why, "transfer wants to.lock while it holds from.lock.");
}

TEST(Explain, SaysWhyAFindingDidNotClimb) {
  EXPECT_EQ(notClimbedText({"always-ordered", "mutex m"}), "the accesses were always ordered (mutex m)");
  EXPECT_EQ(notClimbedText({"never-executed", ""}), "it was never executed");
}

TEST(Explain, LeavesTheWordsOfTheEngineAlone) {
  Finding finding;
  finding.title = "t", finding.why = "w", finding.fix = "f";
  Finding before = finding;
  explain(finding);
  EXPECT_EQ(finding, before);
}

TEST(Explain, HasWordsForEveryFinding) {
  for (uint32_t seed = 1; seed != 50; ++seed)
    for (Finding finding : randomFindings(seed).list) {
      finding.title.clear(), finding.why.clear(), finding.fix.clear();
      explain(finding);
      EXPECT_FALSE(finding.title.empty() || finding.why.empty() || finding.fix.empty()) << "seed " << seed;
    }
}

TEST(Explain, SaysHowOftenSomethingWasSeen) {
  EXPECT_EQ(evidenceText({.level = Level::Observed, .by = "happens-before", .hits = 12}),
            "observed: happens-before, seen 12 times");
  EXPECT_EQ(evidenceText({.level = Level::Harmful, .runs = 10, .hits = 4, .harm = Harm{"abort", "n > 0"}}),
            "harmful: in 4 of 10 schedules, abort (n > 0)");
  EXPECT_EQ(evidenceText({.level = Level::Harmful,
                          .runs = 10,
                          .hits = 4,
                          .probability = Probability{0.4, 0.168, 0.687},
                          .harm = Harm{"abort", "n > 0"}}),
            "harmful: in 4 of 10 schedules (17 to 69 %), abort (n > 0)");
}

TEST(Variable, IsNamedByTheSideThatSaysMore) {
  Access own{.path = "this->list"}, other{.path = "list"}, third{.path = "v"}, none;
  EXPECT_EQ(variableOf(own, other), "list");
  EXPECT_EQ(variableOf(third, other), "v");
  EXPECT_EQ(variableOf(own, none), "this->list");
  EXPECT_EQ(variableOf(none, own), "this->list");
}

} // namespace
} // namespace deadheat::finding
