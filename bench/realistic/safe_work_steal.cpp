// FLAGS -std=c++20
// SHOWN
// Work stealing: each worker has a deque with a lock; every task writes its own slot of the results; a latch tells main.
#include <atomic>
#include <deque>
#include <iostream>
#include <latch>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <thread>
#include <vector>

struct Task {
  std::size_t slot;
  unsigned seed;
};

class WorkDeque {
public:
  void push(Task task) {
    std::lock_guard lock(mutex_);
    tasks_.push_back(task);
  }
  std::optional<Task> pop() {
    std::lock_guard lock(mutex_);
    if (tasks_.empty()) return std::nullopt;
    Task task = tasks_.back();
    tasks_.pop_back();
    return task;
  }
  std::optional<Task> steal() {
    std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock || tasks_.empty()) return std::nullopt;
    Task task = tasks_.front();
    tasks_.pop_front();
    return task;
  }

private:
  std::mutex mutex_;
  std::deque<Task> tasks_;
};

class Scheduler {
public:
  Scheduler(std::size_t workers, std::size_t tasks)
      : deques_(workers), results_(tasks), left_(tasks), done_(static_cast<std::ptrdiff_t>(tasks)) {
    for (std::size_t i = 0; i < tasks; ++i) deques_[i % 2].push({i, static_cast<unsigned>(i)});
    for (std::size_t i = 0; i < workers; ++i) threads_.emplace_back(&Scheduler::work, this, i);
  }

  unsigned long finish() {
    done_.wait();
    unsigned long sum = std::accumulate(results_.begin(), results_.end(), 0ul); // NORACE
    for (auto &thread : threads_) thread.join();
    return sum;
  }

private:
  void work(std::size_t me) {
    while (left_.load(std::memory_order_acquire) > 0) {
      auto task = deques_[me].pop();
      for (std::size_t i = 1; !task && i < deques_.size(); ++i) task = deques_[(me + i) % deques_.size()].steal();
      if (!task) {
        std::this_thread::yield();
        continue;
      }
      unsigned value = task->seed;
      for (int i = 0; i < 100; ++i) value = value * 1664525u + 1013904223u;
      results_[task->slot] = value % 1000; // NORACE
      left_.fetch_sub(1, std::memory_order_release);
      done_.count_down();
    }
  }

  std::vector<WorkDeque> deques_;
  std::vector<unsigned long> results_;
  std::atomic<std::size_t> left_;
  std::latch done_;
  std::vector<std::thread> threads_;
};

int main() {
  Scheduler scheduler(4, 64);
  std::cout << scheduler.finish() << "\n";
}
