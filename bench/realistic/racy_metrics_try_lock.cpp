// SHOWN
// FLAGS -std=c++20
// A metrics sink takes its lock with try_to_lock so as not to stall requests, and forgets to look whether it got it.
#include <array>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

class LatencySink {
public:
  // Called on the request path: must not block.
  void observe(unsigned micros) {
    std::unique_lock lock(mu_, std::try_to_lock);
    buckets_[bucket_of(micros)] += 1; // RACE bucket SELF // RACE read
  }

  void annotate(const char *note) {
    std::unique_lock lock(mu_, std::defer_lock);
    if (!lock.try_lock()) return;
    last_note_ = note;
    ++notes_;
  }

  unsigned long total() {
    std::lock_guard lock(mu_);
    unsigned long n = 0;
    for (std::size_t i = 0; i < buckets_.size(); ++i) n += buckets_[i]; // RACE read
    publish(n);
    return n;
  }

  int notes() {
    std::lock_guard lock(mu_);
    return notes_;
  }

private:
  static void publish(unsigned long) {
    std::this_thread::sleep_for(std::chrono::microseconds(100)); // stands for the write to the exporter's socket
  }

  static std::size_t bucket_of(unsigned micros) {
    std::size_t b = 0;
    while (micros > 1 && b < 7) {
      micros >>= 1;
      ++b;
    }
    return b;
  }

  std::mutex mu_;
  std::array<unsigned long, 8> buckets_{};
  const char *last_note_ = "";
  int notes_ = 0;
};

int main() {
  LatencySink sink;
  std::vector<std::jthread> requests;
  for (unsigned r = 0; r < 3; ++r)
    requests.emplace_back([&sink, r] {
      for (unsigned i = 0; i < 500; ++i) {
        sink.observe((i * 7 + r) % 90);
        if (i % 100 == 0) sink.annotate("checkpoint");
        if (i % 25 == 0) std::this_thread::sleep_for(std::chrono::microseconds(100));
      }
    });
  unsigned long seen = 0;
  for (int i = 0; i < 20; ++i) seen = sink.total();
  requests.clear();
  std::printf("seen %s, notes %s\n", seen <= 1500 ? "plausible" : "odd", sink.notes() > 0 ? "yes" : "no");
}
