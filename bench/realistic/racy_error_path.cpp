// SHOWN
// FLAGS -std=c++20
// Statistics are kept under a lock, which the unwinding has released when the handler counts.
#include <atomic>
#include <charconv>
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

struct Stats {
  long accepted = 0;
  long rejected = 0;
  long sum = 0;
};

class Importer {
public:
  explicit Importer(std::vector<std::string> records) : records_(std::move(records)) {}

  void work() {
    for (;;) {
      std::size_t i = next_.fetch_add(1, std::memory_order_relaxed);
      if (i >= records_.size()) return;
      try {
        importOne(records_[i]);
      } catch (const std::invalid_argument &) {
        stats_.rejected += 1; // RACE rejected SELF
      }
    }
  }
  const Stats &stats() const { return stats_; }

private:
  void importOne(std::string_view record) {
    std::lock_guard<std::mutex> guard(mutex_);
    stats_.sum += parse(record); // NORACE
    stats_.accepted += 1;        // NORACE
  }
  static int parse(std::string_view text) {
    int value = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) throw std::invalid_argument("not a number");
    return value;
  }

  const std::vector<std::string> records_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  Stats stats_;
};

int main() {
  std::vector<std::string> records;
  for (int i = 0; i < 60; ++i) records.push_back(i % 5 == 0 ? "x" + std::to_string(i) : std::to_string(i));
  Importer importer(std::move(records));
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back([&importer] { importer.work(); });
  for (auto &thread : threads) thread.join();
  const Stats &stats = importer.stats();
  std::printf("%ld %ld %ld\n", stats.accepted, stats.rejected, stats.sum); // NORACE
  return 0;
}
