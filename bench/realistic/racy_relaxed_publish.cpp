// SHOWN
// FLAGS -std=c++20
// A pointer to a fresh snapshot is published with a relaxed store.
#include <atomic>
#include <cstdio>
#include <memory>
#include <thread>
#include <vector>

struct Rates {
  int version;
  double euro;
};

class Feed {
public:
  ~Feed() {
    for (Rates *rates : retired_) delete rates;
  }
  void publish(int version, double euro) {
    auto *rates = new Rates;
    rates->version = version;
    rates->euro = euro;        // RACE euro
    retired_.push_back(rates); // NORACE only the feeder's
    current_.store(rates, std::memory_order_relaxed);
  }
  double convert(double amount) const {
    const Rates *rates = current_.load(std::memory_order_relaxed);
    if (!rates) return 0;
    return amount * rates->euro; // RACE euro
  }

private:
  std::atomic<Rates *> current_{nullptr};
  std::vector<Rates *> retired_;
};

int main() {
  Feed feed;
  feed.publish(0, 1.1);
  std::atomic<bool> stop{false};
  std::vector<double> sums(2);
  std::vector<std::thread> readers;
  for (int i = 0; i < 2; ++i)
    readers.emplace_back([&, i] {
      double sum = 0;
      while (!stop.load(std::memory_order_relaxed)) sum += feed.convert(2.0);
      sums[i] = sum; // NORACE
    });
  for (int i = 1; i < 100; ++i) {
    feed.publish(i, 1.0 + i * 0.001);
    std::this_thread::yield();
  }
  stop.store(true, std::memory_order_relaxed);
  for (auto &reader : readers) reader.join();
  std::printf("%d\n", sums[0] + sums[1] >= 0);
  return 0;
}
