// FLAGS -std=c++20
// SHOWN
// A sampler in a jthread with a stop token: the result is taken after request_stop, but before the thread has ended.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <iostream>
#include <stop_token>
#include <thread>

struct Summary {
  long samples = 0;
  double sum = 0, peak = 0;
};

class Sampler {
public:
  void start() {
    thread_ = std::jthread([this](std::stop_token stop) { loop(stop); });
  }

  Summary stop() {
    thread_.request_stop();
    Summary result = summary_; // RACE copy-samples // RACE copy-sum // RACE copy-peak
    thread_.join();
    return result;
  }

private:
  void loop(std::stop_token stop) {
    double x = 0;
    while (!stop.stop_requested()) {
      double value = std::sin(x += 0.01) * 10;
      summary_.samples++;                             // RACE copy-samples
      summary_.sum += value;                          // RACE copy-sum
      summary_.peak = std::max(summary_.peak, value); // RACE copy-peak
      window_[static_cast<std::size_t>(summary_.samples) % window_.size()] = value;
      std::this_thread::yield();
    }
  }

  Summary summary_;
  std::array<double, 16> window_{};
  std::jthread thread_;
};

int main() {
  Sampler sampler;
  sampler.start();
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  Summary summary = sampler.stop();
  std::cout << (summary.samples >= 0 ? "ok" : "bad") << " " << (summary.sum < 1e9) << " " << (summary.peak <= 10)
            << "\n";
}
