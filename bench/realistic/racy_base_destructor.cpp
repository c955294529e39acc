// SHOWN
// FLAGS -std=c++20
// A worker base class joins in its destructor, when the derived part is already being destroyed.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <thread>

class Service {
public:
  virtual ~Service() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
  }
  void start(std::function<void()> tick) {
    thread_ = std::thread([this, tick = std::move(tick)] {
      while (!stop_) {
        tick();
        std::this_thread::sleep_for(std::chrono::microseconds(200));
      }
    });
  }

private:
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

class Heartbeat : public Service {
public:
  explicit Heartbeat(int period) : period_(period) {
    start([this] { beat(); });
  }
  ~Heartbeat() override {
    period_ = 0; // RACE period
  }

private:
  void beat() {
    if (period_ > 0) beats_ += 1; // RACE period
  }
  int period_;
  std::atomic<long> beats_{0};
};

int main() {
  auto heartbeat = std::make_unique<Heartbeat>(5);
  std::this_thread::sleep_for(std::chrono::milliseconds(3));
  heartbeat.reset();
  std::puts("done");
  return 0;
}
