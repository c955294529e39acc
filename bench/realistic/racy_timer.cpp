// SHOWN
// FLAGS -std=c++20
// A timer on a jthread; its interval is changed without the lock under which it waits.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

using namespace std::chrono_literals;

class PeriodicTimer {
public:
  PeriodicTimer(std::chrono::milliseconds interval, std::function<void()> callback)
      : interval_(interval), callback_(std::move(callback)) {}
  void start() {
    thread_ = std::jthread([this](std::stop_token token) { run(token); });
  }
  void setInterval(std::chrono::milliseconds interval) {
    interval_ = interval; // RACE interval
  }
  void pause(bool on) {
    {
      std::lock_guard guard(mutex_);
      paused_ = on; // NORACE
    }
    changed_.notify_all();
  }
  void stop() {
    thread_.request_stop();
    thread_.join();
  }
  int ticks() const { return ticks_; }

private:
  void run(std::stop_token token) {
    std::unique_lock lock(mutex_);
    while (!token.stop_requested()) {
      const auto interval = interval_; // RACE interval
      changed_.wait_for(lock, token, interval, [] { return false; });
      if (token.stop_requested()) break;
      if (paused_) continue;
      lock.unlock();
      callback_();
      lock.lock();
      ++ticks_; // NORACE
    }
  }
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::chrono::milliseconds interval_;
  std::function<void()> callback_;
  bool paused_ = false;
  int ticks_ = 0;
  std::jthread thread_;
};

int main() {
  std::atomic<int> fired{0};
  PeriodicTimer timer(5ms, [&fired] { ++fired; });
  timer.start();
  std::this_thread::sleep_for(20ms);
  timer.pause(true);
  timer.setInterval(2ms);
  timer.pause(false);
  std::this_thread::sleep_for(20ms);
  timer.stop();
  std::printf("%d\n", timer.ticks() == fired); // NORACE
  return 0;
}
