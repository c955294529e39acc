// SHOWN
// FLAGS -std=c++20
// A heartbeat object starts its thread from the initialiser list; a member declared behind the thread is initialised while the thread already reads it.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>

using namespace std::chrono_literals;

class Heartbeat {
public:
  Heartbeat(std::string node, int interval_ms)
      : node_(std::move(node)), pump_([this] { run(); }), interval_ms_(interval_ms) { // RACE interval
  }

  ~Heartbeat() {
    {
      std::lock_guard lock(mu_);
      stopping_ = true;
    }
    wake_.notify_all();
    pump_.join();
    std::printf("%s: %d beats\n", node_.c_str(), beats_);
  }

  int beats() {
    std::lock_guard lock(mu_);
    return beats_;
  }

private:
  void run() {
    std::unique_lock lock(mu_);
    int budget = 50;
    while (!stopping_ && budget-- > 0) {
      ++beats_;
      int pause = interval_ms_; // RACE interval
      if (pause < 1 || pause > 20) pause = 1;
      wake_.wait_for(lock, std::chrono::milliseconds(pause));
    }
  }

  std::string node_;
  std::mutex mu_;
  std::condition_variable wake_;
  bool stopping_ = false;
  int beats_ = 0;
  std::thread pump_;
  int interval_ms_;
};

int main() {
  std::atomic<int> total{0};
  for (int i = 0; i < 5; ++i) {
    Heartbeat hb("node-" + std::to_string(i), 2);
    std::this_thread::sleep_for(8ms);
    total += hb.beats();
  }
  std::printf("total %d\n", total.load());
}
