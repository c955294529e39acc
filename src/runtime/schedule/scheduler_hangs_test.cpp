// What made directed runs hang, or nearly.

#include "runtime/schedule/test_world.h"

#include <atomic>
#include <chrono>
#include <optional>

#include <gtest/gtest.h>

namespace deadheat::runtime::schedule {
namespace {

using namespace std::chrono_literals;

// What the director's own thread does, for as long as it lives: of a scheduler that has started.
class Watch {
public:
  explicit Watch(Scheduler &scheduler)
      : thread_([this, &scheduler] {
          while (!over_) {
            scheduler.watch();
            std::this_thread::sleep_for(1ms);
          }
        }) {}
  ~Watch() {
    over_ = true;
    thread_.join();
  }

private:
  std::atomic<bool> over_ = false;
  std::thread thread_;
};

// One that goes round until another is done makes each hold of the other as long as it may be.
TEST(Racefuzzer, HoldsATaskForShorterEachTimeItWasInVain) {
  constexpr int kArrivals = 200;
  constexpr U64 kOneHold = 20000;
  World world(StrategyId::Racefuzzer, 1);
  int variable = 0, mutex = 0;
  bool done = false;
  world.run({[&](World &w, Task &self) {
               for (int arrival = 0; arrival != kArrivals; ++arrival) w.target(self, variable, 3, true);
               done = true;
             },
             [&](World &w, Task &self) {
               while (!done) w.acquire(self, mutex), w.release(self, mutex);
             }});
  EXPECT_LT(world.control().points, 4 * kOneHold);
}

// In runs with ranks, one that never rests and one that wakes now and then may both rank above the one for which they wait.
TEST(Racefuzzer, LetsTheLowestRunThoughOneNeverRestsAndAnotherWakesNowAndThen) {
  constexpr int kRounds = 50'000;
  for (U64 seed = 0; seed != 60; seed += 3) {
    World world(StrategyId::Racefuzzer, seed);
    int mutex = 0, rounds = 0;
    bool done = false;
    world.run({[&](World &w, Task &self) {
                 for (; !done && rounds != kRounds; ++rounds) w.acquire(self, mutex), w.release(self, mutex);
               },
               [&](World &w, Task &self) {
                 while (!done && rounds != kRounds) w.scheduler().block(self, 0, w.scheduler().now() + 1'000'000);
               },
               [&](World &w, Task &self) {
                 w.scheduler().reach(self, {.action = Action::Yield});
                 done = true;
               }});
    EXPECT_LT(rounds, kRounds) << "seed " << seed;
  }
}

// Between a try that failed and the wait it may be sent out, and what it would wait for may happen.
TEST(Scheduler, LetsATaskLookAgainThatWasSentOutBeforeItsWait) {
  World world(StrategyId::Random, 1);
  int mutex = 0;
  bool near = false, got = false;
  std::optional<Watch> watch;
  world.run({[&](World &w, Task &self) {
               watch.emplace(w.scheduler());
               w.acquire(self, mutex);
               while (!near) w.scheduler().reach(self, {.action = Action::Yield});
               w.release(self, mutex);
             },
             [&](World &w, Task &self) {
               while (mutex == 0) w.scheduler().reach(self, {.action = Action::Yield});
               near = true;
               std::this_thread::sleep_for(50ms);
               w.scheduler().block(self, reinterpret_cast<U64>(&mutex));
               w.acquire(self, mutex);
               got = true;
             }});
  EXPECT_TRUE(got);
}

bool isSet(U64 flag) { return *reinterpret_cast<std::atomic<int> *>(flag) != 0; }

TEST(Scheduler, DoesNotCallItADeadlockIfWhatATaskWaitsForIsThere) {
  World world(StrategyId::Random, 1);
  std::atomic<int> flag = 1;
  world.run({[&](World &w, Task &self) {
    EXPECT_TRUE(w.scheduler().block(self, reinterpret_cast<U64>(&flag), kNever, isSet));
  }});
}

// A call that a handler interrupts may go on afterwards: nobody comes back and decides.
TEST(Scheduler, LooksForWhatAHandlerReleasedWhileAnotherIsOutside) {
  World world(StrategyId::Random, 1);
  std::atomic<int> flag = 0;
  std::atomic<bool> woken = false;
  world.scheduler().expectSignals(false);
  std::thread handler([&] {
    std::this_thread::sleep_for(30ms);
    flag = 1;
  });
  world.run({[&](World &w, Task &self) {
               w.scheduler().leave(self, {.action = Action::Outside});
               for (int waits = 0; waits != 2000 && !woken; ++waits) std::this_thread::sleep_for(1ms);
               EXPECT_TRUE(woken);
               w.scheduler().comeBack(self);
             },
             [&](World &w, Task &self) {
               w.scheduler().block(self, reinterpret_cast<U64>(&flag), kNever, isSet);
               woken = true;
             }});
  handler.join();
}

} // namespace
} // namespace deadheat::runtime::schedule
