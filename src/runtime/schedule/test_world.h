// For tests: a program of a few threads that talk to the scheduler as the runtime's interposers do.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include <unistd.h>

#include "runtime/schedule/scheduler.h"

namespace deadheat::runtime::schedule {

using abi::StrategyId;

class World {
public:
  explicit World(StrategyId strategy, U64 seed) : control_(std::make_unique<abi::Control>()) {
    control_->strategy = strategy;
    control_->seed = seed;
    control_->stepLimit = 1000;
    scheduler_ = std::make_unique<Scheduler>();
  }

  void replay(const abi::Control &recorded) {
    control_->strategy = StrategyId::Replay;
    control_->givenCount = static_cast<U32>(recorded.recorded);
    std::copy_n(recorded.decisions, recorded.recorded, control_->given);
  }

  // Runs all bodies as threads and joins them.
  void run(std::vector<std::function<void(World &, Task &)>> bodies) {
    Task *self = nullptr;
    scheduler_->start(*control_, self);
    std::vector<std::thread> threads;
    std::vector<Task *> tasks;
    for (auto &body : bodies) {
      Task *task = tasks.emplace_back(scheduler_->spawn(0));
      threads.emplace_back([this, task, &body] {
        task->thread = static_cast<U32>(gettid());
        scheduler_->begin(*task);
        body(*this, *task);
        scheduler_->end(*task);
      });
    }
    for (Task *task : tasks) {
      scheduler_->reach(*self, {.action = Action::Join});
      while (task->state != TaskState::Done) scheduler_->block(*self, reinterpret_cast<U64>(task));
    }
    for (std::thread &thread : threads) thread.join();
  }

  void acquire(Task &self, int &mutex, abi::U8 side = 0) {
    const U64 object = reinterpret_cast<U64>(&mutex);
    scheduler_->reach(self, {.action = Action::Acquire, .side = side, .object = object});
    while (mutex != 0) scheduler_->block(self, object);
    mutex = 1;
    scheduler_->hold(self, object);
  }
  void release(Task &self, int &mutex) {
    mutex = 0;
    scheduler_->letGo(&self, reinterpret_cast<U64>(&mutex));
    scheduler_->wake(self, reinterpret_cast<U64>(&mutex));
  }
  void target(Task &self, int &variable, abi::U8 side, bool isWrite) {
    scheduler_->reach(self, {.action = Action::Access,
                             .isWrite = isWrite,
                             .side = side,
                             .size = 4,
                             .object = reinterpret_cast<U64>(&variable)});
  }

  abi::Control &control() { return *control_; }
  Scheduler &scheduler() { return *scheduler_; }

private:
  std::unique_ptr<abi::Control> control_;
  std::unique_ptr<Scheduler> scheduler_;
};

} // namespace deadheat::runtime::schedule
