// SHOWN
// FLAGS -std=c++20
// A class with a lock of its own, whose copy constructor reads the other object without it.
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

class Histogram {
public:
  explicit Histogram(std::size_t buckets) : buckets_(buckets) {}
  Histogram(const Histogram &other) : total_(other.total_) { // RACE total
    std::lock_guard<std::mutex> guard(other.mutex_);
    buckets_ = other.buckets_; // NORACE
  }
  Histogram &operator=(const Histogram &) = delete;

  void add(std::size_t bucket) {
    std::lock_guard<std::mutex> guard(mutex_);
    buckets_.at(bucket) += 1; // NORACE
    ++total_;                 // RACE total
  }
  long total() const {
    std::lock_guard<std::mutex> guard(mutex_);
    return total_; // NORACE
  }
  long sum() const {
    std::lock_guard<std::mutex> guard(mutex_);
    long sum = 0;
    for (long n : buckets_) sum += n; // NORACE
    return sum;
  }

private:
  mutable std::mutex mutex_;
  std::vector<long> buckets_;
  long total_ = 0;
};

int main() {
  Histogram live(8);
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t)
    threads.emplace_back([&live] {
      for (std::size_t i = 0; i < 200; ++i) live.add(i % 8);
    });
  long seen = 0;
  for (int i = 0; i < 10; ++i) {
    Histogram snapshot(live);
    seen += snapshot.total() + snapshot.sum(); // NORACE
  }
  for (auto &thread : threads) thread.join();
  std::printf("%ld %d\n", live.total(), seen >= 0);
  return 0;
}
