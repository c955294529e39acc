// SHOWN
// FLAGS -std=c++20
// A market-data cell is a textbook seqlock, but its payload is a plain struct copied while the writer may be storing to it.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <thread>
#include <vector>

struct Quote {
  long bid = 0;
  long ask = 0;
  long stamp = 0;
};

class QuoteCell {
public:
  void store(const Quote &q) {
    unsigned v = version_.load(std::memory_order_relaxed);
    version_.store(v + 1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    quote_ = q; // RACE payload
    version_.store(v + 2, std::memory_order_release);
  }

  Quote load() const {
    for (;;) {
      unsigned before = version_.load(std::memory_order_acquire);
      if (before & 1u) {
        std::this_thread::yield();
        continue;
      }
      Quote copy = quote_; // RACE payload
      std::atomic_thread_fence(std::memory_order_acquire);
      if (version_.load(std::memory_order_relaxed) == before) return copy;
    }
  }

private:
  std::atomic<unsigned> version_{0};
  Quote quote_;
};

class Book {
public:
  QuoteCell &cell(std::size_t symbol) { return cells_.at(symbol); }
  std::size_t symbols() const { return cells_.size(); }

private:
  std::vector<QuoteCell> cells_ = std::vector<QuoteCell>(3);
};

int main() {
  auto book = std::make_unique<Book>();
  std::atomic<bool> open{true};
  std::atomic<int> crossed{0};
  std::vector<std::thread> strategies;
  for (int s = 0; s < 2; ++s)
    strategies.emplace_back([&] {
      while (open.load(std::memory_order_relaxed))
        for (std::size_t i = 0; i < book->symbols(); ++i) {
          Quote q = book->cell(i).load();
          if (q.bid > q.ask) crossed.fetch_add(1, std::memory_order_relaxed);
        }
    });
  for (long t = 1; t <= 300; ++t) {
    book->cell(static_cast<std::size_t>(t) % book->symbols()).store({100 + t, 101 + t, t});
    if (t % 50 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  open = false;
  for (auto &t : strategies) t.join();
  std::printf("crossed quotes: %d\n", crossed.load());
}
