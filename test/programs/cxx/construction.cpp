// VERBS check confirm
// Constructors and destructors have their object to themselves, unless they start or join who else uses it.
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

struct Counter {
  Counter() { value = 1; }  // NORACE
  ~Counter() { value = 0; } // NORACE
  void add() {
    std::lock_guard<std::mutex> hold(gate);
    ++value; // NORACE
  }
  std::mutex gate;
  int value;
};

static std::vector<Counter *> counters;
static std::mutex all;

static void use() {
  Counter *counter = new Counter;
  {
    std::lock_guard<std::mutex> hold(all);
    counters.push_back(counter);
  }
  counter->add();
  std::lock_guard<std::mutex> hold(all);
  for (Counter *each : counters) each->add();
}

struct Worker {
  Worker() : thread([this] { run(); }) {
    limit = 10; // RACE limit
  }
  ~Worker() {
    stop = true; // RACE stop
    thread.join();
    limit = 0; // NORACE
  }
  void run() {
    while (!stop)                 // RACE stop
      if (++count > limit) break; // RACE limit
  }
  int count = 0, limit = 0;
  bool stop = false;
  std::thread thread;
};

int main() {
  std::thread first(use), second(use);
  first.join();
  second.join();
  for (Counter *counter : counters) delete counter;
  Worker worker;
  return 0;
}
