// VERBS check run
// FLAGS -std=c++20
// SHOWN
// Objects are made in one loop and kept in an array of pointers; another loop starts a thread for each. One object that all elements point to is not
// each thread's own.
#include <pthread.h>

#include <memory>
#include <thread>
#include <vector>

struct Counter {
  int count = 0;
  void step() { ++count; } // NORACE
};

struct Shared {
  int count = 0;
  void step() { ++count; } // RACE shared SELF
};

static void *run(void *arg) {
  static_cast<Counter *>(arg)->step();
  return nullptr;
}

static void *runShared(void *arg) {
  static_cast<Shared *>(arg)->step();
  return nullptr;
}

int main() {
  Counter *counters[3];
  Shared *all[3];
  Shared *one = new Shared;
  for (int i = 0; i < 3; ++i) counters[i] = new Counter;
  for (int i = 0; i < 3; ++i) all[i] = one;
  pthread_t threads[6];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], nullptr, run, counters[i]);
  for (int i = 0; i < 3; ++i) pthread_create(&threads[3 + i], nullptr, runShared, all[i]);
  for (int i = 0; i < 6; ++i) pthread_join(threads[i], nullptr);

  std::vector<std::unique_ptr<Counter>> owned;
  for (int i = 0; i < 3; ++i) owned.push_back(std::make_unique<Counter>());
  int limit = 3;
  std::vector<std::jthread> workers;
  for (auto &each : owned)
    workers.emplace_back([&limit, counter = each.get()] {
      for (int i = 0; i < limit; ++i) counter->step();
    });
}
