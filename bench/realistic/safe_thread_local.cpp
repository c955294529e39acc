// SHOWN
// FLAGS -std=c++20
// Thread-local counters, registered on first use and folded into a total when their thread ends.
#include <algorithm>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

class Metrics {
public:
  static Metrics &global() {
    static Metrics metrics;
    return metrics;
  }
  static void count(const std::string &name, long by = 1) {
    local().counts[name] += by; // NORACE
    local().events += 1;        // NORACE
  }
  long value(const std::string &name) {
    std::lock_guard<std::mutex> guard(mutex_);
    auto it = folded_.find(name);
    return it == folded_.end() ? 0 : it->second;
  }
  std::size_t live() {
    std::lock_guard<std::mutex> guard(mutex_);
    return registered_.size();
  }

private:
  struct Local {
    Local() { Metrics::global().enter(this); }
    ~Local() { Metrics::global().leave(this); }
    std::map<std::string, long> counts;
    long events = 0;
  };
  static Local &local() {
    thread_local Local mine;
    return mine;
  }
  void enter(Local *local) {
    std::lock_guard<std::mutex> guard(mutex_);
    registered_.push_back(local);
  }
  void leave(Local *local) {
    std::lock_guard<std::mutex> guard(mutex_);
    registered_.erase(std::find(registered_.begin(), registered_.end(), local));
    for (const auto &[name, count] : local->counts) folded_[name] += count; // NORACE
    events_ += local->events;                                               // NORACE
  }
  std::mutex mutex_;
  std::vector<Local *> registered_;
  std::map<std::string, long> folded_;
  long events_ = 0;
};

int main() {
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([t] {
      for (int i = 0; i < 25; ++i) Metrics::count(i % 2 ? "odd" : "even", t);
    });
  std::size_t live = Metrics::global().live();
  for (auto &thread : threads) thread.join();
  std::printf("%ld %ld %d\n", Metrics::global().value("odd"), Metrics::global().value("even"), live <= 3);
  return 0;
}
