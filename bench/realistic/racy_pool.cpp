// SHOWN
// FLAGS -std=c++20
// A thread pool; the count of finished jobs is kept outside the lock.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class ThreadPool {
public:
  explicit ThreadPool(std::size_t n) {
    workers_.reserve(n);
    for (std::size_t i = 0; i < n; ++i) workers_.emplace_back(&ThreadPool::loop, this);
  }
  ~ThreadPool() { shutdown(); }
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  void submit(std::function<void()> job) {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      jobs_.push_back(std::move(job));
      ++submitted_;
    }
    wake_.notify_one();
  }

  void shutdown() {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      if (stopping_) return;
      stopping_ = true;
    }
    wake_.notify_all();
    for (auto &w : workers_) w.join();
  }

  std::size_t completed() const {
    return completed_; // RACE progress
  }
  std::size_t submitted() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return submitted_;
  }

private:
  void loop() {
    for (;;) {
      std::function<void()> job;
      {
        std::unique_lock<std::mutex> lock(mutex_);
        wake_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
        if (jobs_.empty()) return;
        job = std::move(jobs_.front());
        jobs_.pop_front();
      }
      job();
      ++completed_; // RACE progress // RACE count SELF
    }
  }

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> jobs_;
  std::vector<std::thread> workers_;
  std::size_t submitted_ = 0;
  std::size_t completed_ = 0;
  bool stopping_ = false;
};

} // namespace

int main() {
  ThreadPool pool(3);
  std::vector<int> squares(32);
  for (int i = 0; i < 32; ++i) pool.submit([&squares, i] { squares[i] = i * i; }); // NORACE
  while (pool.completed() < 8) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (pool.submitted() == 0) break;
  }
  pool.shutdown();
  long sum = 0;
  for (int s : squares) sum += s;
  std::printf("%ld\n", sum);
  return 0;
}
