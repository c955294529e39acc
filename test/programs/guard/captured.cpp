// What a lambda captures by reference keeps its name through std::function and a queue ordered by time: the mutex that it takes is main's own.
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

using Clock = std::chrono::steady_clock;

class Timers {
public:
  Timers() { thread_ = std::thread([this] { loop(); }); }
  ~Timers() {
    {
      std::lock_guard<std::mutex> guard(mutex_);
      stopped_ = true; // NORACE
    }
    changed_.notify_all();
    thread_.join();
  }
  void after(std::chrono::milliseconds time, std::function<void()> action) {
    std::lock_guard<std::mutex> guard(mutex_);
    queue_.push({Clock::now() + time, std::move(action)});
    changed_.notify_one();
  }

private:
  struct Entry {
    Clock::time_point when;
    std::function<void()> action;
    bool operator<(const Entry &other) const { return when > other.when; }
  };

  void loop() {
    std::unique_lock<std::mutex> guard(mutex_);
    while (!stopped_) { // NORACE
      if (queue_.empty() || Clock::now() < queue_.top().when) {
        changed_.wait_for(guard, std::chrono::milliseconds(1));
        continue;
      }
      std::function<void()> action = queue_.top().action;
      queue_.pop();
      guard.unlock();
      action();
      guard.lock();
    }
  }

  std::priority_queue<Entry> queue_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopped_ = false;
  std::thread thread_;
};

int main() {
  std::mutex mutex;
  int fired = 0, last = 0;
  Timers timers;
  for (int i = 0; i < 5; ++i)
    timers.after(std::chrono::milliseconds(i), [&] {
      last = 1; // RACE last
      std::lock_guard<std::mutex> guard(mutex);
      ++fired; // NORACE
    });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  int sum = last; // RACE last
  std::lock_guard<std::mutex> guard(mutex);
  sum += fired; // NORACE
  return sum < 0;
}
