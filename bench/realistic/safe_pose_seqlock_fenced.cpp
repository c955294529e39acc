// SHOWN
// FLAGS -std=c++20
// A robot's pose is a seqlock with fences whose fields are relaxed atomics, so torn copies are possible, thrown away, and never undefined.
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

template <std::size_t N> class SeqArray {
public:
  using Values = std::array<double, N>;

  void write(const Values &v) {
    std::lock_guard lock(writers_);
    const unsigned s = seq_.load(std::memory_order_relaxed);
    seq_.store(s + 1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    for (std::size_t i = 0; i < N; ++i) cells_[i].store(v[i], std::memory_order_relaxed); // NORACE
    seq_.store(s + 2, std::memory_order_release);
    last_ = v; // NORACE // under the writers' mutex
  }

  bool try_read(Values &out) const {
    const unsigned s = seq_.load(std::memory_order_acquire);
    if (s % 2 != 0) return false;
    for (std::size_t i = 0; i < N; ++i) out[i] = cells_[i].load(std::memory_order_relaxed); // NORACE
    std::atomic_thread_fence(std::memory_order_acquire);
    return seq_.load(std::memory_order_relaxed) == s;
  }

  Values last() {
    std::lock_guard lock(writers_);
    return last_;
  }

private:
  std::mutex writers_;
  std::atomic<unsigned> seq_{0};
  std::array<std::atomic<double>, N> cells_{};
  Values last_{};
};

using Pose = SeqArray<3>;

static int plan(const Pose &pose, int steps) {
  int torn = 0;
  for (int i = 0; i < steps; ++i) {
    Pose::Values v{};
    while (!pose.try_read(v)) std::this_thread::yield();
    if (v[1] != v[0] * 2 || v[2] != v[0] * 3) ++torn;
  }
  return torn;
}

int main() {
  auto pose = std::make_unique<Pose>();
  std::array<int, 2> torn{};
  {
    std::vector<std::jthread> planners;
    for (auto &result : torn) planners.emplace_back([&pose, &result] { result = plan(*pose, 300); });
    std::jthread odometry([&pose] {
      for (int i = 0; i < 100; ++i) pose->write({i * 1.0, i * 2.0, i * 3.0});
    });
    for (int i = 0; i < 50; ++i) {
      pose->write({i * 0.5, i * 1.0, i * 1.5});
      if (i % 10 == 0) std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  }
  auto v = pose->last();
  std::printf("torn %d, consistent %s\n", torn[0] + torn[1], v[1] == v[0] * 2 ? "yes" : "no");
}
