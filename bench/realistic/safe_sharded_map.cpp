// FLAGS -std=c++20
// SHOWN
// A sharded counter map: single-key operations lock one shard; snapshot() and clear() lock them all, in order.
#include <array>
#include <functional>
#include <iostream>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

class ShardedCounter {
public:
  void add(const std::string &key, int by) {
    Shard &shard = shard_of(key);
    std::lock_guard lock(shard.mutex);
    shard.counts[key] += by; // NORACE
    shard.total += by;       // NORACE
  }

  long snapshot() {
    std::vector<std::unique_lock<std::mutex>> locks;
    for (Shard &shard : shards_) locks.emplace_back(shard.mutex);
    long sum = 0;
    for (const Shard &shard : shards_) sum += shard.total; // NORACE
    return sum;
  }

  void clear() {
    for (Shard &shard : shards_) shard.mutex.lock();
    for (Shard &shard : shards_) {
      shard.counts.clear(); // NORACE
      shard.total = 0;      // NORACE
    }
    for (Shard &shard : shards_) shard.mutex.unlock();
  }

private:
  struct Shard {
    std::mutex mutex;
    std::unordered_map<std::string, int> counts;
    long total = 0;
  };

  Shard &shard_of(const std::string &key) { return shards_[std::hash<std::string>{}(key) % shards_.size()]; }

  std::array<Shard, 8> shards_;
};

int main() {
  ShardedCounter counter;
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t)
    threads.emplace_back([&counter] {
      for (int i = 0; i < 60; ++i) counter.add("key" + std::to_string(i % 17), 1);
    });
  threads.emplace_back([&counter] {
    for (int i = 0; i < 5; ++i) counter.snapshot();
    counter.clear();
  });
  for (auto &thread : threads) thread.join();
  std::cout << (counter.snapshot() <= 120) << "\n";
}
