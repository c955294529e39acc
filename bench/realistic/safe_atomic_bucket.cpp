// VERBS check run
// FLAGS -std=c++11 -Wall
// SHOWN
// A rate limiter without locks: tokens by compare-and-swap, limits in an immutable object behind an atomic pointer, old ones kept.
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

struct Limits {
  long burst;
  long perTick;
};

class Bucket {
public:
  explicit Bucket(long burst) {
    auto first = std::unique_ptr<Limits>(new Limits{burst, 1});
    limits_.store(first.get(), std::memory_order_release);
    kept_.push_back(std::move(first));
    tokens_.store(burst);
  }

  bool take(long n) {
    long have = tokens_.load(std::memory_order_relaxed);
    do {
      if (have < n) return false;
    } while (!tokens_.compare_exchange_weak(have, have - n));
    return true;
  }

  void tick() {
    const Limits *l = limits_.load(std::memory_order_acquire);
    long have = tokens_.load();
    long want;
    do {
      want = have + l->perTick > l->burst ? l->burst : have + l->perTick;
    } while (!tokens_.compare_exchange_weak(have, want));
  }

  void configure(long burst, long perTick) {
    std::unique_ptr<Limits> next(new Limits);
    next->burst = burst;
    next->perTick = perTick;
    std::lock_guard<std::mutex> lock(writers_);
    limits_.store(next.get(), std::memory_order_release);
    kept_.push_back(std::move(next));
  }

private:
  std::atomic<long> tokens_{0};
  std::atomic<const Limits *> limits_{nullptr};
  std::mutex writers_;
  std::vector<std::unique_ptr<Limits>> kept_;
};

int main() {
  Bucket bucket(10);
  std::atomic<long> granted{0};
  std::atomic<bool> done{false};
  std::thread clock([&] {
    while (!done) bucket.tick();
  });
  std::thread admin([&] {
    for (int i = 1; i < 10; ++i) bucket.configure(10 * i, i);
  });
  std::vector<std::thread> users;
  for (int t = 0; t < 2; ++t)
    users.emplace_back([&] {
      for (int i = 0; i < 40; ++i)
        if (bucket.take(1)) ++granted;
    });
  for (auto &u : users) u.join();
  admin.join();
  done = true;
  clock.join();
  return granted >= 10 ? 0 : 1;
}
