// SHOWN
// FLAGS -std=c++20
// A single-producer single-consumer trace ring publishes its indices with relaxed stores, so the events behind them are not published at all.
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <thread>

struct Event {
  std::uint32_t id = 0;
  std::uint32_t duration = 0;
};

template <class T, std::size_t N> class TraceRing {
  static_assert((N & (N - 1)) == 0, "power of two");

public:
  bool push(const T &event) {
    auto head = head_.load(std::memory_order_relaxed);
    if (head - tail_.load(std::memory_order_relaxed) == N) return false;
    slots_[head & (N - 1)] = event; // RACE slot
    head_.store(head + 1, std::memory_order_relaxed);
    return true;
  }

  std::optional<T> pop() {
    auto tail = tail_.load(std::memory_order_relaxed);
    if (tail == head_.load(std::memory_order_relaxed)) return std::nullopt;
    T event = slots_[tail & (N - 1)]; // RACE slot
    tail_.store(tail + 1, std::memory_order_relaxed);
    return event;
  }

  void close() { closed_.store(true, std::memory_order_release); }
  bool closed() const { return closed_.load(std::memory_order_acquire); }

private:
  std::array<T, N> slots_{};
  alignas(64) std::atomic<std::uint32_t> head_{0};
  alignas(64) std::atomic<std::uint32_t> tail_{0};
  std::atomic<bool> closed_{false};
};

int main() {
  auto ring = std::make_unique<TraceRing<Event, 16>>();
  std::uint64_t drained = 0, busy = 0;
  std::thread writer([&ring, &drained, &busy] {
    for (;;) {
      bool last = ring->closed();
      while (auto e = ring->pop()) {
        ++drained;
        busy += e->duration;
      }
      if (last) return;
      std::this_thread::yield();
    }
  });
  for (std::uint32_t i = 1; i <= 500; ++i)
    while (!ring->push({i, i % 9})) std::this_thread::yield();
  ring->close();
  writer.join();
  std::printf("drained %llu, busy %llu\n", static_cast<unsigned long long>(drained),
              static_cast<unsigned long long>(busy));
}
