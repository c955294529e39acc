#include <algorithm>
#include <bit>
#include <map>

#include <gtest/gtest.h>

#include "confirm/campaign.h"
#include "confirm/directed_run.h"
#include "confirm/judge.h"
#include "confirm/minimise.h"
#include "confirm/schedule.h"

namespace deadheat::confirm {
namespace {

Outcome ended(int exit) {
  Outcome outcome;
  outcome.exit = exit;
  outcome.directed = true;
  return outcome;
}

Outcome hitOutcome(int exit, std::string output = {}) {
  Outcome outcome = ended(exit);
  outcome.hits = 1;
  outcome.reached[0] = outcome.reached[1] = 1;
  outcome.output = std::move(output);
  return outcome;
}

TEST(Judge, NamesTheHarmThatARunCameTo) {
  Outcome assertion;
  assertion.signal = 6;
  assertion.errors = "p: a.c:3: main: Assertion `n == 2' failed.\n";
  EXPECT_EQ(harmOf(assertion)->kind, "assertion");
  EXPECT_EQ(harmOf(assertion)->detail, "p: a.c:3: main: Assertion `n == 2' failed.");
  Outcome crash;
  crash.signal = 11;
  EXPECT_EQ(harmOf(crash)->detail, "SIGSEGV");
  Outcome deadlock = ended(66);
  deadlock.deadlock = true;
  EXPECT_EQ(harmOf(deadlock)->kind, "deadlock");
  Outcome hang;
  hang.timedOut = true;
  hang.signal = 9;
  EXPECT_FALSE(harmOf(hang)) << "one run cannot tell whether it would ever have ended";
}

TEST(Judge, FindsNoHarmInARunThatEndsWellOrWithAStatusOfItsOwn) {
  EXPECT_FALSE(harmOf(ended(0)));
  EXPECT_FALSE(harmOf(ended(3)));
  Outcome talks = ended(0);
  talks.errors = "Assertion `x' failed, as the test expects";
  EXPECT_FALSE(harmOf(talks));
}

TEST(Campaign, ConfirmsACandidateThatIsHitAndKeepsTheHarmfulRun) {
  Runner runner = [](const Direction &direction) -> Expected<Outcome> {
    if (direction.seed % 2 == 0) return ended(0);
    Outcome outcome = hitOutcome(0);
    if (direction.seed == 5) outcome.exit.reset(), outcome.signal = 11;
    return outcome;
  };
  auto verdict = runCampaign({}, {.runs = 10}, runner);
  ASSERT_TRUE(verdict);
  EXPECT_TRUE(verdict->confirmed);
  EXPECT_EQ(verdict->hits, 5u);
  EXPECT_EQ(verdict->runs, 10u);
  EXPECT_EQ(verdict->harm->kind, "signal");
  EXPECT_EQ(verdict->direction.seed, 5u);
}

TEST(Campaign, GrowsLaxAndPatientWhereNothingIsHit) {
  unsigned lax = 0, patient = 0;
  Runner runner = [&](const Direction &direction) -> Expected<Outcome> {
    lax += direction.lax;
    patient += direction.patient;
    Outcome outcome = direction.lax && patient != 0 ? hitOutcome(0) : ended(0);
    outcome.reached[0] = outcome.reached[1] = 1;
    return outcome;
  };
  Campaign campaign({}, {.runs = 20}, runner);
  ASSERT_TRUE(campaign.advance(20));
  EXPECT_TRUE(campaign.verdict().confirmed);
  EXPECT_EQ(lax, 2u);
  EXPECT_EQ(patient, 1u) << "the first hit shows the way";
  EXPECT_TRUE(campaign.verdict().direction.lax);
}

TEST(Campaign, LooksTwiceBeforeItBlamesTheOrder) {
  std::map<uint32_t, unsigned> seen;
  Runner runner = [&](const Direction &direction) -> Expected<Outcome> {
    const unsigned before = direction.resolve == 0 ? 0 : seen[direction.resolve]++;
    return hitOutcome(0, direction.resolve == 2 && before < 5 ? "41\n" : "42\n");
  };
  auto verdict = runCampaign({}, {.runs = 10}, runner);
  ASSERT_TRUE(verdict);
  EXPECT_TRUE(verdict->confirmed);
  EXPECT_FALSE(verdict->harm);
}

TEST(Campaign, CallsAnOutputThatFollowsTheOrderHarm) {
  Runner runner = [](const Direction &direction) -> Expected<Outcome> {
    return hitOutcome(0, direction.resolve == 2 ? "41\n" : "42\n");
  };
  auto verdict = runCampaign({}, {.runs = 3}, runner);
  ASSERT_TRUE(verdict && verdict->harm);
  EXPECT_EQ(verdict->harm->kind, "output");
  EXPECT_EQ(verdict->direction.resolve, 2u);
}

TEST(Campaign, CallsAnOutputHarmThatOneOrderAlwaysHasAndTheOtherNever) {
  Runner runner = [](const Direction &direction) -> Expected<Outcome> {
    return hitOutcome(0, direction.resolve == 2 ? std::to_string(direction.seed) : "right\n");
  };
  auto verdict = runCampaign({}, {.runs = 3}, runner);
  ASSERT_TRUE(verdict && verdict->harm);
  EXPECT_EQ(verdict->direction.resolve, 2u);
}

TEST(Campaign, BlamesNoOrderForWhatSchedulesChangeBesides) {
  Runner runner = [](const Direction &direction) -> Expected<Outcome> {
    return hitOutcome(0, std::to_string(direction.seed * 10 + direction.resolve));
  };
  auto verdict = runCampaign({}, {.runs = 3}, runner);
  ASSERT_TRUE(verdict);
  EXPECT_FALSE(verdict->harm);
}

TEST(Campaign, BlamesNoRaceForAnOutputThatVariesAnyway) {
  int calls = 0;
  Runner runner = [&](const Direction &) -> Expected<Outcome> { return hitOutcome(0, std::to_string(++calls)); };
  auto verdict = runCampaign({}, {.runs = 3}, runner);
  ASSERT_TRUE(verdict);
  EXPECT_FALSE(verdict->harm);
  EXPECT_TRUE(verdict->unstable);
}

TEST(Campaign, CallsAHangHarmOnlyIfOtherSchedulesEndMuchEarlier) {
  for (double usual : {0.5, 5.0}) {
    Runner runner = [&](const Direction &direction) -> Expected<Outcome> {
      Outcome outcome = hitOutcome(0);
      outcome.timedOut = direction.seed == 2;
      outcome.seconds = outcome.timedOut ? 10 : usual;
      return outcome;
    };
    auto verdict = runCampaign({}, {.runs = 4}, runner);
    ASSERT_TRUE(verdict);
    EXPECT_TRUE(verdict->confirmed);
    EXPECT_EQ(verdict->harm.has_value(), usual < 1);
    EXPECT_EQ(verdict->limited, 1u);
  }
}

TEST(Campaign, BlamesNoRaceForWhatTheProgramComesToAnyway) {
  Runner runner = [](const Direction &) -> Expected<Outcome> {
    Outcome outcome = hitOutcome(0);
    outcome.exit.reset(), outcome.signal = 6;
    return outcome;
  };
  auto verdict = runCampaign({}, {.runs = 3, .usualHarm = "abort"}, runner);
  ASSERT_TRUE(verdict);
  EXPECT_TRUE(verdict->confirmed);
  EXPECT_FALSE(verdict->harm);
}

// A few random runs may all have come to it by chance.
TEST(Campaign, NamesTheHarmOfOneOrderThoughTheProgramSeemedToComeToItAnyway) {
  Runner runner = [](const Direction &direction) -> Expected<Outcome> {
    Outcome outcome = hitOutcome(0);
    if (direction.resolve == 1) outcome.exit.reset(), outcome.signal = 6;
    return outcome;
  };
  auto verdict = runCampaign({}, {.runs = 3, .usualHarm = "abort"}, runner);
  ASSERT_TRUE(verdict && verdict->harm);
  EXPECT_EQ(verdict->harm->kind, "abort");
  EXPECT_EQ(verdict->direction.resolve, 1u);
}

TEST(Campaign, TakesADeadlockForTheCircleOnlyIfThreadsStandWhereItIs) {
  for (int there : {1, 2}) {
    Runner runner = [&](const Direction &) -> Expected<Outcome> {
      Outcome outcome = ended(66);
      outcome.deadlock = true;
      outcome.tasks.resize(3);
      for (abi::TaskView &task : outcome.tasks) task.state = abi::TaskState::Blocked;
      for (int index = 0; index != there; ++index) outcome.tasks[index].side = abi::kSecondSide;
      return outcome;
    };
    auto verdict = runCampaign({}, {.runs = 3, .wantsDeadlock = true}, runner);
    ASSERT_TRUE(verdict);
    EXPECT_EQ(verdict->confirmed, there == 2);
  }
}

TEST(Campaign, BlamesNoRaceForWhatAProgramDoesAfterItWaitedForAgesForAThreadThatIsHeld) {
  for (uint64_t seconds : {1, 60}) {
    Runner runner = [&](const Direction &direction) -> Expected<Outcome> {
      Outcome outcome = hitOutcome(direction.resolve == 2 ? 1 : 0);
      outcome.heldNanoseconds = seconds * 1'000'000'000;
      return outcome;
    };
    auto verdict = runCampaign({}, {.runs = 3}, runner);
    ASSERT_TRUE(verdict);
    EXPECT_TRUE(verdict->confirmed);
    EXPECT_EQ(verdict->harm.has_value(), seconds == 1);
  }
}

TEST(Campaign, StopsWhereARunIsCutShortAndKeepsWhatItKnows) {
  Runner runner = [](const Direction &direction) -> Expected<Outcome> {
    Outcome outcome = hitOutcome(0);
    outcome.cut = direction.seed == 3;
    return outcome;
  };
  Campaign campaign({}, {.runs = 10}, runner);
  auto more = campaign.advance(10);
  ASSERT_TRUE(more);
  EXPECT_FALSE(*more);
  EXPECT_EQ(campaign.verdict().runs, 2u);
  EXPECT_TRUE(campaign.verdict().confirmed);
}

TEST(Campaign, GivesUpOnAPairThatIsNeverReached) {
  auto verdict =
      runCampaign({}, {.runs = 100, .hopeless = 7}, [](const Direction &) -> Expected<Outcome> { return ended(0); });
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->runs, 7u);
  EXPECT_FALSE(verdict->confirmed);
}

TEST(Campaign, TellsHowSureItsProbabilityIs) {
  Probability all = probabilityOf(100, 100);
  EXPECT_DOUBLE_EQ(all.value, 1);
  EXPECT_NEAR(all.low, 0.963, 0.001);
  Probability half = probabilityOf(50, 100);
  EXPECT_NEAR(half.low, 0.404, 0.001);
  EXPECT_NEAR(half.high, 0.596, 0.001);
}

TEST(Minimise, KeepsExactlyTheDecisionsThatAreNeeded) {
  for (unsigned needed = 0; needed != 64; ++needed) { // every subset of six
    Decisions all(40);
    for (uint32_t index = 0; index != 40; ++index) all[index].point = index;
    auto attempt = [&](const Decisions &some) -> std::optional<Decisions> {
      for (unsigned bit = 0; bit != 6; ++bit)
        if ((needed >> bit & 1) && std::ranges::find(some, bit * 7u, &abi::Decision::point) == some.end())
          return std::nullopt;
      return some;
    };
    Decisions least = minimise(all, attempt, 1000);
    EXPECT_EQ(least.size(), static_cast<size_t>(std::popcount(needed)));
    EXPECT_TRUE(attempt(least));
  }
}

TEST(Minimise, FindsTheLastOfManyThousandDecisionsInAFewRuns) {
  Decisions all(30000);
  for (uint32_t index = 0; index != all.size(); ++index) all[index].point = index;
  unsigned runs = 0;
  auto attempt = [&](const Decisions &some) -> std::optional<Decisions> {
    ++runs;
    if (std::ranges::find(some, 29990u, &abi::Decision::point) == some.end()) return std::nullopt;
    return some;
  };
  EXPECT_EQ(minimise(all, attempt, 100).size(), 1u);
  EXPECT_LT(runs, 30u);
}

Schedule sampleSchedule() {
  Schedule schedule;
  schedule.finding = "R-0123456789abcdef";
  schedule.command = {"./p", "", "two words", "100%"};
  schedule.directory = "/srv/my project";
  schedule.direction.seed = 42;
  schedule.direction.targets = {
      {.checksum = 0xabcdef, .late = 7, .size = 4, .side = 1, .isWrite = 1},
      {.checksum = 0x12, .begin = 0x1000, .end = 0x1010, .late = abi::kNoLate, .side = 2},
      {.checksum = 0x12, .begin = 0x20, .end = 0x21, .late = abi::kNoLate, .side = 1, .isWrite = 1, .memory = 1}};
  schedule.direction.decisions = {{3, 2, abi::DecisionKind::Run, {}, {}, 0, 0, 0},
                                  {9, 1, abi::DecisionKind::Return, {}, {}, 0, 0, 0}};
  schedule.notes = {"a.c:3"};
  return schedule;
}

TEST(Schedule, SurvivesBeingPrintedAndRead) {
  auto read = parseSchedule(print(sampleSchedule()), "s");
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(*read, sampleSchedule());
}

TEST(Schedule, RefusesWhatItDoesNotUnderstandAndSaysWhere) {
  EXPECT_EQ(parseSchedule("", "s").error().what, "s is not a schedule");
  EXPECT_EQ(parseSchedule("deadheat schedule 1\ncommand p\npoint x run 1\n", "s").error().what, "s:3: not understood");
  EXPECT_EQ(parseSchedule("deadheat schedule 1\n", "s").error().what, "s names no command");
  std::string whole = print(sampleSchedule());
  for (size_t cut = 0; cut != whole.size(); ++cut) (void)parseSchedule(whole.substr(0, cut), "s");
}

TEST(DirectedRun, KeepsWhatTheCommandPrintsAndHowItEnds) {
  auto outcome = runDirected(
      {.command = {"sh", "-c", "echo out; echo err >&2; exit 3"}, .environment = {"PATH=/usr/bin:/bin"}}, {});
  ASSERT_TRUE(outcome) << outcome.error().text();
  EXPECT_EQ(outcome->exit, 3);
  EXPECT_EQ(outcome->output, "out\n");
  EXPECT_EQ(outcome->errors, "err\n");
  EXPECT_FALSE(outcome->directed);
}

TEST(DirectedRun, EndsACommandThatDoesNotEnd) {
  auto outcome = runDirected({.command = {"sh", "-c", "sleep 1000 & sleep 1000"},
                              .environment = {"PATH=/usr/bin:/bin"},
                              .limit = std::chrono::milliseconds(50)},
                             {});
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(outcome->timedOut);
}

TEST(DirectedRun, AsksBeforeItKills) {
  auto outcome = runDirected({.command = {"sh", "-c", "trap 'echo bye; exit 5' TERM; while :; do sleep 0.01; done"},
                              .environment = {"PATH=/usr/bin:/bin"},
                              .limit = std::chrono::milliseconds(500)},
                             {});
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(outcome->timedOut);
  EXPECT_EQ(outcome->output, "bye\n");
}

TEST(DirectedRun, EndsACommandThatTakesTooMuchMemory) {
  auto outcome =
      runDirected({.command = {"python3", "-c", "b = bytearray(200 << 20)\nwhile True: b[::4096] = b[::4096]"},
                   .environment = {"PATH=/usr/bin:/bin"},
                   .memoryLimit = 64 << 20},
                  {});
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(outcome->outOfMemory);
}

TEST(DirectedRun, GoesOnNoLongerThanThereIsTime) {
  Launch launch{.command = {"sleep", "1000"}, .environment = {"PATH=/usr/bin:/bin"}};
  launch.until = Clock::now() + std::chrono::milliseconds(50);
  auto outcome = runDirected(launch, {});
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(outcome->cut);
  EXPECT_FALSE(outcome->timedOut);
}

TEST(DirectedRun, TellsWhyACommandCannotBeStarted) {
  auto outcome = runDirected({.command = {"/no/such/command"}, .environment = {}}, {});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().what, "cannot run '/no/such/command': No such file or directory");
}

} // namespace
} // namespace deadheat::confirm
