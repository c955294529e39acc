// FLAGS -std=c++20
// SHOWN
// A checksum over chunks with std::async; the progress line is printed from plain counters while the tasks still run.
#include <chrono>
#include <cstdint>
#include <future>
#include <iostream>
#include <mutex>
#include <numeric>
#include <span>
#include <string>
#include <vector>

struct Progress {
  std::mutex mutex;
  std::size_t bytes_done = 0;
  std::string phase = "start";
};

static std::uint32_t adler(std::span<const std::uint8_t> data) {
  std::uint32_t a = 1, b = 0;
  for (auto byte : data) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

class Checksummer {
public:
  explicit Checksummer(std::vector<std::uint8_t> data) : data_(std::move(data)) {}

  std::uint32_t run(std::size_t chunk) {
    std::vector<std::future<std::uint32_t>> parts;
    set_phase("running");
    for (std::size_t at = 0; at < data_.size(); at += chunk) {
      auto part = std::span(data_).subspan(at, std::min(chunk, data_.size() - at));
      parts.push_back(std::async(std::launch::async, [this, part] { return one(part); }));
    }
    std::uint32_t sum = 0;
    for (auto &part : parts) {
      while (part.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready) show();
      sum ^= part.get();
      show();
    }
    set_phase("done");
    return sum;
  }

  std::size_t shown() const { return shown_; }

private:
  std::uint32_t one(std::span<const std::uint8_t> part) {
    auto sum = adler(part);
    std::lock_guard lock(progress_.mutex);
    progress_.bytes_done += part.size(); // RACE progress
    return sum;
  }

  void set_phase(const char *name) {
    std::lock_guard lock(progress_.mutex);
    progress_.phase = name;
  }

  void show() {
    shown_ = std::max(shown_, progress_.bytes_done); // RACE progress
  }

  std::vector<std::uint8_t> data_;
  Progress progress_;
  std::size_t shown_ = 0;
};

int main() {
  std::vector<std::uint8_t> data(40000);
  std::iota(data.begin(), data.end(), 0);
  Checksummer checksummer(std::move(data));
  std::cout << std::hex << checksummer.run(5000) << std::dec << " " << checksummer.shown() << "\n";
}
