// SHOWN
// FLAGS -std=c++20
// A getter locks, and then hands out a reference to what the lock protects.
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

struct Limits {
  int timeoutMs = 100;
  int retries = 3;
};

class Settings {
public:
  const Limits &limits() const {
    std::lock_guard<std::mutex> guard(mutex_);
    return limits_;
  }
  Limits copy() const {
    std::lock_guard<std::mutex> guard(mutex_);
    return limits_;
  }
  void update(int timeoutMs) {
    std::lock_guard<std::mutex> guard(mutex_);
    limits_.timeoutMs = timeoutMs; // RACE limits
    limits_.retries += 1;          // NORACE
  }

private:
  mutable std::mutex mutex_;
  Limits limits_;
};

class Client {
public:
  explicit Client(const Settings &settings) : settings_(settings) {}
  void work(int rounds) {
    for (int i = 0; i < rounds; ++i) {
      const Limits &limits = settings_.limits();
      budget_ += limits.timeoutMs; // RACE limits
      tries_ += settings_.copy().retries;
    }
  }
  long budget() const { return budget_; }
  long tries() const { return tries_; }

private:
  const Settings &settings_;
  long budget_ = 0;
  long tries_ = 0;
};

int main() {
  Settings settings;
  Client one(settings), two(settings);
  std::thread a(&Client::work, &one, 100);
  std::thread b([&two] { two.work(100); });
  for (int i = 0; i < 50; ++i) settings.update(100 + i);
  a.join();
  b.join();
  std::printf("%d %d\n", one.budget() > 0, two.tries() > 0);
  return 0;
}
