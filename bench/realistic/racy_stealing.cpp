// SHOWN
// FLAGS -std=c++20
// Work stealing: a thief peeks at a victim's length without its lock.
#include <atomic>
#include <cstdio>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

class WorkQueue {
public:
  void push(int item) {
    std::lock_guard<std::mutex> guard(mutex_);
    ring_[(first_ + length_) % kSize] = item;
    ++length_; // RACE push
  }
  std::optional<int> pop() {
    std::lock_guard<std::mutex> guard(mutex_);
    if (length_ == 0) return std::nullopt;
    --length_; // RACE pop
    return ring_[(first_ + length_) % kSize];
  }
  std::optional<int> steal() {
    if (length_ < 2) return std::nullopt; // RACE push pop take
    std::lock_guard<std::mutex> guard(mutex_);
    if (length_ == 0) return std::nullopt;
    int item = ring_[first_];
    first_ = (first_ + 1) % kSize;
    length_ -= 1; // RACE take
    return item;
  }

private:
  static constexpr unsigned kSize = 256;
  std::mutex mutex_;
  int ring_[kSize] = {};
  unsigned first_ = 0;
  unsigned length_ = 0;
};

class Scheduler {
public:
  explicit Scheduler(unsigned n) {
    for (unsigned i = 0; i < n; ++i) queues_.push_back(std::make_unique<WorkQueue>());
  }
  void run(int items) {
    left_ = items;
    for (int i = 0; i < items; ++i) queues_[0]->push(i);
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < queues_.size(); ++i) threads.emplace_back([this, i] { work(i); });
    for (auto &thread : threads) thread.join();
  }
  long sum() const { return sum_; }

private:
  void work(unsigned self) {
    while (left_.load() > 0) {
      std::optional<int> item = queues_[self]->pop();
      for (unsigned i = 1; !item && i < queues_.size(); ++i) item = queues_[(self + i) % queues_.size()]->steal();
      if (!item) {
        std::this_thread::yield();
        continue;
      }
      if (*item % 10 == 0) {
        left_.fetch_add(1);
        queues_[self]->push(*item + 1);
      }
      sum_.fetch_add(*item);
      left_.fetch_sub(1);
    }
  }
  std::vector<std::unique_ptr<WorkQueue>> queues_;
  std::atomic<int> left_{0};
  std::atomic<long> sum_{0};
};

int main() {
  Scheduler scheduler(3);
  scheduler.run(100);
  std::printf("%ld\n", scheduler.sum());
  return 0;
}
