// VERBS check run confirm
// FLAGS -std=c++20 -Wall
// SHOWN
// Sensor hub with jthreads: after request_stop() the reading is taken, but before the thread has been joined.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

class Sensor {
public:
  explicit Sensor(std::string name) : name_(std::move(name)) {}
  void start() {
    thread_ = std::jthread([this](std::stop_token stop) {
      while (!stop.stop_requested()) {
        latest_ = latest_ * 0.9 + 1.0; // RACE latest
        samples_.fetch_add(1, std::memory_order_relaxed);
        std::this_thread::sleep_for(100us);
      }
    });
  }
  double finish() {
    thread_.request_stop();
    return latest_; // RACE latest
  }
  int samples() const { return samples_.load(); }
  const std::string &name() const { return name_; }

private:
  std::string name_;
  double latest_ = 0;
  std::atomic<int> samples_{0};
  std::jthread thread_;
};

class Hub {
public:
  Sensor &add(std::string name) { return *sensors_.emplace_back(std::make_unique<Sensor>(std::move(name))); }
  void start() {
    for (auto &s : sensors_) s->start();
  }
  double stop() {
    double sum = 0;
    for (auto &s : sensors_) sum += s->finish();
    return sum;
  }
  int samples() const {
    int n = 0;
    for (const auto &s : sensors_) n += s->samples();
    return n;
  }

private:
  std::vector<std::unique_ptr<Sensor>> sensors_;
};

int main() {
  Hub hub;
  hub.add("temperature");
  hub.add("pressure");
  hub.start();
  while (hub.samples() < 10) std::this_thread::sleep_for(1ms);
  std::printf("%f\n", hub.stop());
  return 0;
}
