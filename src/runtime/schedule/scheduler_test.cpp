#include "runtime/schedule/test_world.h"

#include <atomic>

#include <unistd.h>

#include <gtest/gtest.h>

namespace deadheat::runtime::schedule {
namespace {

struct Outcome {
  bool raced = false;
  bool error = false;
  std::vector<std::pair<U64, U32>> decisions;
};

std::vector<std::pair<U64, U32>> decisionsOf(const abi::Control &control) {
  std::vector<std::pair<U64, U32>> all;
  for (U64 index = 0; index != control.recorded; ++index)
    all.emplace_back(control.decisions[index].point, control.decisions[index].task);
  return all;
}

// Fig. 1 of the paper. `onZ`: the pair (5, 7), else the pair (1, 10).
Outcome figureOne(World &world, bool onZ) {
  int x = 0, y = 0, z = 0, mutex = 0;
  Outcome outcome;
  world.run({[&](World &w, Task &self) {
               if (!onZ) w.target(self, x, 1, true);
               x = 1;
               w.acquire(self, mutex);
               y = 1;
               w.release(self, mutex);
               if (onZ) w.target(self, z, 1, false);
               if (z == 1) outcome.error = true;
             },
             [&](World &w, Task &self) {
               if (onZ) w.target(self, z, 2, true);
               z = 1;
               w.acquire(self, mutex);
               if (y == 1) {
                 if (!onZ) w.target(self, x, 2, false);
                 if (x != 1) ADD_FAILURE() << "ERROR2 cannot be reached";
               }
               w.release(self, mutex);
             }});
  outcome.raced = world.control().hits != 0;
  outcome.decisions = decisionsOf(world.control());
  return outcome;
}

TEST(Racefuzzer, CreatesTheRaceOfFigureOneAndReachesItsErrorInHalfOfTheRuns) {
  int errors = 0;
  constexpr int kRuns = 400;
  for (int seed = 0; seed != kRuns; ++seed) {
    World world(StrategyId::Racefuzzer, seed);
    Outcome outcome = figureOne(world, true);
    EXPECT_TRUE(outcome.raced);
    errors += outcome.error;
  }
  EXPECT_GT(errors, kRuns / 3);
  EXPECT_LT(errors, kRuns * 2 / 3);
}

TEST(Racefuzzer, NeverConfirmsThePairOfFigureOneThatIsOrderedByY) {
  for (int seed = 0; seed != 200; ++seed) {
    World world(StrategyId::Racefuzzer, seed);
    EXPECT_FALSE(figureOne(world, false).raced);
  }
}

// Fig. 2, with `padding` scheduling points before statement 8.
Outcome figureTwo(World &world, int padding) {
  int x = 0, mutex = 0;
  Outcome outcome;
  world.run({[&](World &w, Task &self) {
               w.acquire(self, mutex);
               for (int index = 0; index != padding; ++index) w.scheduler().reach(self, {.action = Action::Atomic});
               w.release(self, mutex);
               w.target(self, x, 1, false);
               outcome.error = x == 0;
             },
             [&](World &w, Task &self) {
               w.target(self, x, 2, true);
               x = 1;
               w.acquire(self, mutex);
               w.release(self, mutex);
             }});
  outcome.raced = world.control().hits != 0;
  return outcome;
}

TEST(Racefuzzer, HitsTheRaceOfFigureTwoAlwaysHoweverFarApartItsStatementsAre) {
  int errors = 0;
  for (int seed = 0; seed != 100; ++seed) {
    World near(StrategyId::Racefuzzer, seed), far(StrategyId::Racefuzzer, seed);
    EXPECT_TRUE(figureTwo(near, 10).raced);
    Outcome outcome = figureTwo(far, 10000);
    EXPECT_TRUE(outcome.raced);
    errors += outcome.error;
  }
  EXPECT_GT(errors, 30);
  EXPECT_LT(errors, 70);
}

TEST(Racefuzzer, WaitsForASleeperThatComesByTheOtherSide) {
  for (int seed = 0; seed != 50; ++seed) {
    auto program = [](int &x) {
      return std::vector<std::function<void(World &, Task &)>>{[&](World &w, Task &self) {
                                                                 w.target(self, x, 1, true);
                                                                 x = 1;
                                                               },
                                                               [&](World &w, Task &self) {
                                                                 for (U64 second = 1; second != 5; ++second)
                                                                   w.scheduler().block(self, 0, second * 1'000'000'000);
                                                                 w.target(self, x, 2, false);
                                                               }};
    };
    int x = 0;
    World first(StrategyId::Racefuzzer, seed), second(StrategyId::Replay, 0);
    first.run(program(x));
    EXPECT_EQ(first.control().hits, 1u);
    second.replay(first.control());
    second.run(program(x));
    EXPECT_EQ(second.control().hits, 1u);
    EXPECT_EQ(decisionsOf(second.control()), decisionsOf(first.control()));
  }
}

TEST(Racefuzzer, LetsSomePassWhereAllThatWaitBarTheWayToTheOtherSide) {
  auto hits = [](U32 lax) {
    U64 sum = 0;
    for (int seed = 0; seed != 50; ++seed) {
      World world(StrategyId::Racefuzzer, seed);
      world.control().lax = lax;
      int active = 0;
      auto serve = [&](World &w, Task &self) {
        ++active;
        w.target(self, active, 1, false);
        if (active == 3) return;
        w.target(self, active, 2, true);
        --active;
      };
      world.run({serve, serve, serve});
      sum += world.control().hits;
    }
    return sum;
  };
  EXPECT_EQ(hits(0), 0u);
  EXPECT_GT(hits(1), 5u);
}

TEST(Racefuzzer, ResolvesARaceTheWayItIsTold) {
  for (U32 side : {1u, 2u})
    for (int seed = 0; seed != 50; ++seed) {
      World world(StrategyId::Racefuzzer, seed);
      world.control().resolve = side;
      EXPECT_EQ(figureOne(world, true).error, side == 2);
    }
}

TEST(Scheduler, ReplaysTheDecisionsOfAnyStrategy) {
  for (StrategyId strategy : {StrategyId::Racefuzzer, StrategyId::Random, StrategyId::Pct})
    for (int seed = 0; seed != 50; ++seed) {
      World first(strategy, seed), second(strategy, seed);
      first.control().depth = second.control().depth = 3;
      Outcome recorded = figureOne(first, true);
      second.replay(first.control());
      Outcome replayed = figureOne(second, true);
      EXPECT_EQ(replayed.error, recorded.error);
      EXPECT_EQ(replayed.raced, recorded.raced);
      EXPECT_EQ(replayed.decisions, recorded.decisions);
      EXPECT_EQ(second.control().strayed, 0u);
    }
}

TEST(Scheduler, GivesTheSameRunForTheSameSeed) {
  for (int seed = 0; seed != 50; ++seed) {
    World first(StrategyId::Random, seed), second(StrategyId::Random, seed);
    EXPECT_EQ(figureOne(first, true).decisions, figureOne(second, true).decisions);
  }
}

TEST(Scheduler, LetsOthersRunWhileOneSpins) {
  for (StrategyId strategy : {StrategyId::Racefuzzer, StrategyId::Random, StrategyId::Pct, StrategyId::Replay}) {
    World world(strategy, 7);
    bool flag = false;
    world.run({[&](World &w, Task &self) {
                 while (!flag) w.scheduler().step(self);
               },
               [&](World &, Task &) { flag = true; }});
    EXPECT_TRUE(flag);
  }
}

// It comes to two variables in turn, so that nothing gives it away.
TEST(Scheduler, LetsOthersRunWhileOnePolls) {
  for (StrategyId strategy : {StrategyId::Replay, StrategyId::Follow}) {
    World world(strategy, 7);
    bool flag = false;
    world.run({[&](World &w, Task &self) {
                 alignas(8) U64 looks[2] = {};
                 int turn = 0;
                 while (!flag) {
                   turn = 1 - turn;
                   w.scheduler().reach(self, {.action = Action::Atomic, .object = reinterpret_cast<U64>(&looks[turn])});
                 }
               },
               [&](World &, Task &) { flag = true; }});
    EXPECT_TRUE(flag);
  }
}

// The one that is sent out runs on; at its next operation it must wait for its turn like all others.
TEST(Scheduler, RunsOneTaskAtATimeThoughOneWasSentOutForSpinning) {
  World world(StrategyId::Random, 7);
  std::atomic<int> running = 0;
  bool alone = true;
  auto stand = [&](World &w, Task &self) {
    w.scheduler().reach(self, {.action = Action::Acquire});
    alone &= ++running == 1;
    for (int i = 0; i != 1000; ++i) asm volatile("");
    --running;
  };
  bool sentOut = false;
  world.run({[&](World &w, Task &self) {
               self.thread = static_cast<U32>(gettid());
               for (int i = 0; i != 100'000'000 && !self.forced; ++i) w.scheduler().watch();
               sentOut = self.forced;
               for (int i = 0; i != 100; ++i) stand(w, self);
             },
             [&](World &w, Task &self) {
               for (int i = 0; i != 10'000; ++i) stand(w, self);
             }});
  EXPECT_TRUE(sentOut);
  EXPECT_TRUE(alone);
}

TEST(SpinPatience, ShrinksWhileGuessesAreRightAndGrowsWhileTheyAreWrong) {
  SpinPatience patience;
  EXPECT_FALSE(patience.isSure());
  for (int i = 0; i != 20; ++i) patience.judge(1000);
  EXPECT_EQ(patience.now(), SpinPatience::kShortest);
  EXPECT_TRUE(patience.isSure());
  for (int i = 0; i != 20; ++i) patience.judge(SpinPatience::kLongest);
  EXPECT_EQ(patience.now(), SpinPatience::kLongest);
  EXPECT_FALSE(patience.isSure());
  EXPECT_EQ(SpinPatience(2 * SpinPatience::kShortest).now(), 2 * SpinPatience::kShortest);
  EXPECT_EQ(SpinPatience(~U64(0)).now(), SpinPatience::kLongest);
}

TEST(Racefuzzer, LetsGoOfATaskForWhichOthersWaitInALoop) {
  for (int seed = 0; seed != 20; ++seed) {
    World world(StrategyId::Racefuzzer, seed);
    alignas(8) U64 flag = 0;
    int x = 0;
    world.run({[&](World &w, Task &self) {
                 w.target(self, x, 1, true);
                 flag = 1;
               },
               [&](World &w, Task &self) {
                 while (flag == 0)
                   w.scheduler().reach(self, {.action = Action::Atomic, .object = reinterpret_cast<U64>(&flag)});
                 w.target(self, x, 2, true);
               }});
    EXPECT_EQ(world.control().hits, 0u);
    EXPECT_EQ(world.control().reached[1], 1u);
  }
}

TEST(Ordering, NamesTheLockThroughWhichTheLaterTaskHeardOfTheAccess) {
  for (int seed = 0; seed != 20; ++seed) {
    World world(StrategyId::Random, seed);
    int x = 0, mutex = 0;
    auto body = [&](abi::U8 side) {
      return [&, side](World &w, Task &self) {
        w.acquire(self, mutex);
        w.target(self, x, side, true);
        w.release(self, mutex);
      };
    };
    world.run({body(1), body(2)});
    const abi::Order &order = world.control().order;
    EXPECT_EQ(order.met, 1u);
    EXPECT_EQ(order.ordered, 1u);
    EXPECT_EQ(order.action, Action::Acquire);
    EXPECT_EQ(order.object, reinterpret_cast<U64>(&mutex));
  }
}

TEST(Ordering, DoesNotOrderTwoTasksThatNeverSynchronise) {
  World world(StrategyId::Random, 1);
  int x = 0;
  world.run({[&](World &w, Task &self) { w.target(self, x, 1, true); },
             [&](World &w, Task &self) { w.target(self, x, 2, true); }});
  EXPECT_EQ(world.control().order.met, 1u);
  EXPECT_EQ(world.control().order.ordered, 0u);
}

TEST(Scheduler, WakesASleeperThoughOthersNeverRest) {
  World world(StrategyId::Random, 1);
  bool over = false;
  world.run({[&](World &w, Task &self) {
               EXPECT_FALSE(w.scheduler().block(self, 0, 1'000'000));
               over = true;
             },
             [&](World &w, Task &self) {
               int mutex = 0;
               while (!over) w.acquire(self, mutex), w.release(self, mutex);
             }});
  EXPECT_TRUE(over);
}

TEST(Scheduler, MovesTheClockOnWhenAllSleep) {
  World world(StrategyId::Random, 1);
  std::vector<int> order;
  auto sleeper = [&](int name, U64 until) {
    return [&order, name, until](World &w, Task &self) {
      EXPECT_FALSE(w.scheduler().block(self, 0, until));
      order.push_back(name);
    };
  };
  world.run({sleeper(1, 3'000'000'000), sleeper(2, 1'000'000'000), sleeper(3, 2'000'000'000)});
  EXPECT_EQ(order, (std::vector{2, 3, 1}));
}

// The second return was nobody's to wait for: who left let go of the one that was held.
TEST(Racefuzzer, WaitsForOneThatLeavesAgainAndAgain) {
  for (U64 seed = 1; seed != 9; ++seed) {
    int variable = 0;
    auto standing = [&](World &w, Task &self) { w.target(self, variable, abi::kFirstSide, true); };
    auto calling = [&](World &w, Task &self) {
      for (int call = 0; call != 3; ++call) {
        w.scheduler().leave(self, {.action = Action::Outside});
        w.scheduler().comeBack(self);
      }
      w.target(self, variable, abi::kSecondSide, true);
    };
    World world(StrategyId::Racefuzzer, seed);
    world.run({standing, calling});
    EXPECT_EQ(world.control().hits, 1u) << "seed " << seed;
    World again(StrategyId::Racefuzzer, seed);
    again.replay(world.control());
    again.run({standing, calling});
    EXPECT_EQ(again.control().hits, 1u) << "seed " << seed;
    EXPECT_EQ(again.control().strayed, 0u) << "seed " << seed;
  }
}

TEST(Scheduler, TakesBackTasksThatWereOutside) {
  for (int seed = 0; seed != 20; ++seed) {
    World first(StrategyId::Random, seed);
    auto program = [](std::vector<int> &order) {
      auto body = [&order](int name) {
        return [&order, name](World &w, Task &self) {
          w.scheduler().leave(self, {.action = Action::Outside});
          std::this_thread::sleep_for(std::chrono::microseconds(name * 50));
          w.scheduler().comeBack(self);
          order.push_back(name);
        };
      };
      return std::vector<std::function<void(World &, Task &)>>{body(1), body(2), body(3)};
    };
    std::vector<int> order, again;
    first.run(program(order));
    EXPECT_EQ(order.size(), 3u);
    World second(StrategyId::Replay, 0);
    second.replay(first.control());
    second.run(program(again));
    EXPECT_EQ(order, again);
  }
}

TEST(SchedulerDeathTest, EndsTheProcessWhenACircleClosesThoughAnotherTaskRunsOn) {
  auto program = [] {
    for (int seed = 0;; ++seed) {
      World world(StrategyId::Deadlock, seed);
      int a = 0, b = 0, done = 0;
      auto edge = [&](int &outer, int &inner) {
        return [&](World &w, Task &self) {
          w.acquire(self, outer, 1), w.acquire(self, inner, 2), w.release(self, inner), w.release(self, outer);
          ++done;
        };
      };
      world.run({edge(a, b), edge(b, a), [&](World &w, Task &self) {
                   for (U64 tick = 1; done != 2; ++tick) w.scheduler().block(self, 0, tick * 1'000'000);
                 }});
    }
  };
  EXPECT_EXIT(program(), ::testing::ExitedWithCode(66), "");
}

TEST(SchedulerDeathTest, EndsTheProcessWhenEveryTaskWaitsForAnother) {
  auto program = [] {
    for (int seed = 0;; ++seed) {
      World world(StrategyId::Random, seed);
      int a = 0, b = 0;
      world.run({[&](World &w, Task &self) {
                   w.acquire(self, a), w.acquire(self, b), w.release(self, b), w.release(self, a);
                 },
                 [&](World &w, Task &self) {
                   w.acquire(self, b), w.acquire(self, a), w.release(self, a), w.release(self, b);
                 }});
    }
  };
  EXPECT_EXIT(program(), ::testing::ExitedWithCode(66), "");
}

} // namespace
} // namespace deadheat::runtime::schedule
