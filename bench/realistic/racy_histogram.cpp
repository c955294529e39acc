// VERBS check run confirm
// FLAGS -std=c++17 -Wall
// SHOWN
// Metrics registry: counters and buckets are atomic, the maximum of a histogram is a plain double.
#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

class Metric {
public:
  virtual ~Metric() = default;
  virtual void record(double value) = 0;
  virtual double value() const = 0;
};

class Counter final : public Metric {
public:
  void record(double value) override { total_.fetch_add(static_cast<long>(value), std::memory_order_relaxed); }
  double value() const override { return static_cast<double>(total_.load()); }

private:
  std::atomic<long> total_{0};
};

class Histogram final : public Metric {
public:
  void record(double value) override {
    std::size_t i = 0;
    while (i + 1 < buckets_.size() && value > limits_[i]) ++i;
    buckets_[i].fetch_add(1, std::memory_order_relaxed);
    if (value > max_) // RACE max
      max_ = value;   // RACE max // RACE maxmax SELF
  }
  double value() const override { return max_; }

private:
  static constexpr std::array<double, 4> limits_{1, 10, 100, 1000};
  std::array<std::atomic<unsigned>, 4> buckets_{};
  double max_ = 0;
};

class Registry {
public:
  template <class M> Metric &get(std::string_view name) {
    std::lock_guard lock(mutex_);
    auto &slot = metrics_[std::string(name)];
    if (!slot) slot = std::make_unique<M>();
    return *slot;
  }
  double sum() const {
    std::lock_guard lock(mutex_);
    double total = 0;
    for (const auto &[name, metric] : metrics_) total += metric->value();
    return total;
  }

private:
  mutable std::mutex mutex_;
  std::map<std::string, std::unique_ptr<Metric>> metrics_;
};

int main() {
  Registry registry;
  std::vector<std::thread> handlers;
  for (int t = 0; t < 3; ++t)
    handlers.emplace_back([&registry, t] {
      Metric &latency = registry.get<Histogram>("latency");
      Metric &requests = registry.get<Counter>("requests");
      for (int i = 0; i < 50; ++i) {
        requests.record(1);
        latency.record((i * 31 + t * 17) % 1500);
      }
    });
  for (auto &h : handlers) h.join();
  return registry.sum() > 150 ? 0 : 1;
}
