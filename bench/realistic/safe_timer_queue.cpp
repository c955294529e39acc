// FLAGS -std=c++20
// SHOWN
// A timer thread: due callbacks are moved out under the lock and called without it; each callback's state is touched by
// the timer thread only, until stop() has joined it.
#include <chrono>
#include <condition_variable>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

using Clock = std::chrono::steady_clock;

class TimerQueue {
public:
  using Callback = std::function<void()>;

  TimerQueue() : thread_([this] { loop(); }) {}
  ~TimerQueue() { stop(); }

  int after(std::chrono::microseconds delay, Callback callback) {
    std::lock_guard lock(mutex_);
    int id = ++last_id_;
    timers_.emplace(Clock::now() + delay, Timer{id, std::move(callback)});
    changed_.notify_one();
    return id;
  }

  bool cancel(int id) {
    std::lock_guard lock(mutex_);
    for (auto it = timers_.begin(); it != timers_.end(); ++it)
      if (it->second.id == id) {
        timers_.erase(it);
        return true;
      }
    return false;
  }

  void stop() {
    {
      std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_one();
    if (thread_.joinable()) thread_.join();
  }

private:
  struct Timer {
    int id;
    Callback callback;
  };

  void loop() {
    std::unique_lock lock(mutex_);
    while (!stopping_ || !timers_.empty()) {
      if (timers_.empty()) {
        changed_.wait(lock);
        continue;
      }
      auto due = timers_.begin()->first;
      if (Clock::now() < due) {
        changed_.wait_until(lock, due);
        continue;
      }
      auto node = timers_.extract(timers_.begin());
      lock.unlock();
      node.mapped().callback();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::multimap<Clock::time_point, Timer> timers_;
  int last_id_ = 0;
  bool stopping_ = false;
  std::thread thread_;
};

struct Watch {
  std::string name;
  int fired = 0;
  std::vector<int> history;
};

int main() {
  using namespace std::chrono_literals;
  Watch fast{"fast", 0, {}}, slow{"slow", 0, {}};
  TimerQueue timers;
  std::function<void()> again = [&] {
    fast.history.push_back(++fast.fired);           // NORACE
    if (fast.fired < 5) timers.after(300us, again); // NORACE
  };
  timers.after(100us, again);
  timers.after(2ms, [&slow, &fast] {
    slow.fired += 1 + static_cast<int>(fast.history.size() > 100); // NORACE
  });
  int late = timers.after(10s, [] { std::cout << "never\n"; });
  if (!timers.cancel(late)) return 2;
  timers.stop();
  std::cout << fast.fired << " " << slow.fired << " " << fast.history.size() << "\n"; // NORACE
  return fast.fired == 5 && slow.fired == 1 ? 0 : 1;
}
