// VERBS check run
// FLAGS -std=c++20
// SHOWN
// A constructor starts the thread before it has set up what the thread looks at. std::make_unique is inlined where it is called; its own copy,
// which nobody calls, makes no second object.
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

class Monitor {
public:
  explicit Monitor(int limit) : first_(limit), thread_(&Monitor::run, this) {
    limit_ = limit; // RACE limit
  }
  ~Monitor() {
    stop_.store(true);
    thread_.join();
    limit_ = 0; // NORACE
  }

private:
  void run() {
    while (!stop_.load()) {
      if (first_ > 100) return; // NORACE
      if (limit_ > 100) return; // RACE limit
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  int first_;
  int limit_ = 0;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

int main() {
  std::vector<std::unique_ptr<Monitor>> monitors;
  for (int i = 0; i < 2; ++i) monitors.push_back(std::make_unique<Monitor>(10 * (i + 1)));
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return 0;
}
