// SHOWN
// FLAGS -std=c++20
// A seqlock with atomic words, and a writer side that is a mutex's.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

template <class T> class SeqLock {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % 8 == 0);
  static constexpr std::size_t kWords = sizeof(T) / 8;

public:
  void store(const T &value) {
    std::uint64_t words[kWords];
    std::memcpy(words, &value, sizeof value);
    std::lock_guard<std::mutex> guard(writer_);
    const unsigned s = sequence_.load(std::memory_order_relaxed);
    sequence_.store(s + 1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    for (std::size_t i = 0; i < kWords; ++i) words_[i].store(words[i], std::memory_order_relaxed);
    sequence_.store(s + 2, std::memory_order_release);
    ++stores_; // NORACE
  }
  T load() const {
    std::uint64_t words[kWords];
    unsigned before, after;
    do {
      before = sequence_.load(std::memory_order_acquire);
      for (std::size_t i = 0; i < kWords; ++i) words[i] = words_[i].load(std::memory_order_relaxed);
      std::atomic_thread_fence(std::memory_order_acquire);
      after = sequence_.load(std::memory_order_relaxed);
    } while (before != after || (before & 1));
    T value;
    std::memcpy(&value, words, sizeof value);
    return value;
  }
  int stores() {
    std::lock_guard<std::mutex> guard(writer_);
    return stores_;
  }

private:
  std::atomic<unsigned> sequence_{0};
  std::atomic<std::uint64_t> words_[kWords] = {};
  std::mutex writer_;
  int stores_ = 0;
};

struct Quote {
  double bid = 0, ask = 0;
  std::int64_t time = 0;
};

int main() {
  SeqLock<Quote> quote;
  std::atomic<bool> stop{false};
  std::vector<std::thread> readers;
  std::vector<long> bad(2);
  for (int r = 0; r < 2; ++r)
    readers.emplace_back([&, r] {
      while (!stop.load(std::memory_order_relaxed)) {
        Quote q = quote.load();
        if (q.bid > q.ask) bad[r] += 1; // NORACE
      }
    });
  for (int i = 0; i < 200; ++i) quote.store(Quote{double(i), double(i) + 0.5, i});
  stop = true;
  for (auto &reader : readers) reader.join();
  std::printf("%ld %d\n", bad[0] + bad[1], quote.stores());
  return 0;
}
