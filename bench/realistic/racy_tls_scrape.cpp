// SHOWN
// FLAGS -std=c++20
// Request counters live in thread_local storage, but the metrics scraper walks the registered addresses while their owners keep counting.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

struct Counters;

class CounterRegistry {
public:
  static CounterRegistry &instance() {
    static CounterRegistry registry;
    return registry;
  }
  void enlist(Counters *c) {
    std::lock_guard lock(mu_);
    live_.push_back(c);
  }
  void retire(Counters *c, long requests) {
    std::lock_guard lock(mu_);
    live_.erase(std::find(live_.begin(), live_.end(), c));
    retired_ += requests;
  }
  long scrape();

private:
  std::mutex mu_;
  std::vector<Counters *> live_;
  long retired_ = 0;
};

struct Counters {
  long requests = 0;
  long scratch = 0;
  Counters() { CounterRegistry::instance().enlist(this); }
  ~Counters() { CounterRegistry::instance().retire(this, requests); }
};

long CounterRegistry::scrape() {
  std::lock_guard lock(mu_); // keeps the threads' counters alive, no more
  long sum = retired_;
  for (const Counters *c : live_) sum += c->requests; // RACE requests
  return sum;
}

static Counters &my_counters() {
  thread_local Counters counters;
  return counters;
}

static void handle(int i) {
  Counters &c = my_counters();
  c.scratch = i;
  c.requests += 1; // RACE requests
}

int main() {
  std::vector<std::jthread> workers;
  for (int w = 0; w < 3; ++w)
    workers.emplace_back([w] {
      for (int i = 0; i < 50 * (w + 1); ++i) {
        handle(i);
        if (i % 10 == 0) std::this_thread::sleep_for(std::chrono::microseconds(100));
      }
    });
  long last = 0;
  for (int i = 0; i < 10; ++i) {
    long now = CounterRegistry::instance().scrape();
    if (now < last) std::puts("counter went backwards");
    last = now;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  workers.clear();
  std::printf("%ld requests\n", CounterRegistry::instance().scrape());
}
