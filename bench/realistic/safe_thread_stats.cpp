// SHOWN
// FLAGS -std=c++20
// Statistics per thread, in slots of one vector, summed after the join; a live total is atomic.
#include <atomic>
#include <cstdio>
#include <numeric>
#include <thread>
#include <vector>

struct alignas(64) Slot {
  long requests = 0;
  long bytes = 0;
  int histogram[8] = {};
};

class Statistics {
public:
  explicit Statistics(std::size_t threads) : slots_(threads) {}
  class Recorder {
  public:
    Recorder(Slot &slot, std::atomic<long> &live) : slot_(slot), live_(live) {}
    void record(long bytes) {
      slot_.requests += 1;                  // NORACE
      slot_.bytes += bytes;                 // NORACE
      slot_.histogram[(bytes / 100) & 7]++; // NORACE
      live_.fetch_add(1, std::memory_order_relaxed);
    }

  private:
    Slot &slot_;
    std::atomic<long> &live_;
  };
  Recorder recorder(std::size_t i) { return Recorder(slots_.at(i), live_); }
  long live() const { return live_.load(std::memory_order_relaxed); }
  Slot total() const {
    Slot sum;
    for (const Slot &slot : slots_) {
      sum.requests += slot.requests; // NORACE
      sum.bytes += slot.bytes;       // NORACE
      for (int i = 0; i < 8; ++i) sum.histogram[i] += slot.histogram[i];
    }
    return sum;
  }

private:
  std::vector<Slot> slots_;
  std::atomic<long> live_{0};
};

static void serve(Statistics &statistics, std::size_t id, int requests) {
  Statistics::Recorder recorder = statistics.recorder(id);
  for (int i = 0; i < requests; ++i) recorder.record(100 + 37L * i % 700);
}

int main() {
  constexpr std::size_t kThreads = 4;
  Statistics statistics(kThreads);
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (std::size_t id = 0; id < kThreads; ++id) threads.emplace_back(serve, std::ref(statistics), id, 100);
  while (statistics.live() < 10) std::this_thread::yield();
  for (std::thread &thread : threads) thread.join();
  const Slot total = statistics.total();
  std::printf("%ld %ld %d\n", total.requests, total.bytes, std::accumulate(total.histogram, total.histogram + 8, 0));
  return 0;
}
