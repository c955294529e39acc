// FLAGS -std=c++20
// SHOWN
// Market quotes behind a seqlock whose payload is relaxed atomics; the one writer keeps its plain working copy to itself.
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <thread>
#include <type_traits>

struct Quote {
  double bid = 0, ask = 0;
  std::uint64_t sequence = 0;
};

template <typename T> class SeqLock {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % 8 == 0);
  static constexpr std::size_t words = sizeof(T) / 8;

public:
  void store(const T &value) {
    std::array<std::uint64_t, words> raw;
    std::memcpy(raw.data(), &value, sizeof value);
    unsigned version = version_.load(std::memory_order_relaxed);
    version_.store(version + 1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    for (std::size_t i = 0; i < words; ++i) data_[i].store(raw[i], std::memory_order_relaxed);
    version_.store(version + 2, std::memory_order_release);
  }

  T load() const {
    std::array<std::uint64_t, words> raw;
    for (;;) {
      unsigned before = version_.load(std::memory_order_acquire);
      for (std::size_t i = 0; i < words; ++i) raw[i] = data_[i].load(std::memory_order_relaxed); // NORACE
      std::atomic_thread_fence(std::memory_order_acquire);
      if (!(before & 1) && version_.load(std::memory_order_relaxed) == before) break;
      std::this_thread::yield();
    }
    T value;
    std::memcpy(&value, raw.data(), sizeof value);
    return value;
  }

private:
  std::atomic<unsigned> version_{0};
  std::array<std::atomic<std::uint64_t>, words> data_{};
};

class Feed {
public:
  void publish(int ticks) {
    for (int i = 0; i < ticks; ++i) {
      working_.bid = 100 + i;          // NORACE
      working_.ask = working_.bid + 1; // NORACE
      working_.sequence++;             // NORACE
      line_.store(working_);
    }
    finished_.store(true, std::memory_order_release);
  }
  bool consistent() const {
    Quote quote = line_.load();
    return quote.sequence == 0 || quote.ask == quote.bid + 1;
  }
  bool finished() const { return finished_.load(std::memory_order_acquire); }
  std::uint64_t count() const { return working_.sequence; }

private:
  Quote working_;
  SeqLock<Quote> line_;
  std::atomic<bool> finished_{false};
};

int main() {
  Feed feed;
  std::atomic<int> bad{0};
  std::thread writer([&] { feed.publish(200); });
  std::thread readers[2];
  for (auto &reader : readers)
    reader = std::thread([&] {
      while (!feed.finished())
        if (!feed.consistent()) ++bad;
    });
  for (auto &reader : readers) reader.join();
  std::cout << feed.count() << " " << bad << "\n"; // NORACE after the readers saw it finished
  writer.join();
  return bad != 0;
}
