// SHOWN
// FLAGS -std=c++20
// A constructor starts the thread before it has set up what the thread looks at.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

class Monitor {
public:
  explicit Monitor(int limit) : thread_(&Monitor::run, this) {
    limit_ = limit; // RACE limit
  }
  ~Monitor() {
    stop_.store(true);
    thread_.join();
  }
  int alarms() const { return alarms_.load(); }
  void feed(int value) { level_.fetch_add(value); }

private:
  void run() {
    while (!stop_.load()) {
      if (level_.load() > limit_) { // RACE limit
        alarms_.fetch_add(1);
        level_.store(0);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  int limit_ = 0;
  std::atomic<bool> stop_{false};
  std::atomic<int> level_{0};
  std::atomic<int> alarms_{0};
  std::thread thread_;
};

int main() {
  std::vector<std::unique_ptr<Monitor>> monitors;
  for (int i = 0; i < 2; ++i) monitors.push_back(std::make_unique<Monitor>(10 * (i + 1)));
  for (int i = 0; i < 10; ++i) {
    for (auto &monitor : monitors) monitor->feed(5);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  int alarms = 0;
  for (auto &monitor : monitors) alarms += monitor->alarms();
  std::printf("%d\n", alarms > 0);
  return 0;
}
