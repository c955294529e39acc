// SHOWN
// FLAGS -std=c++20
// Workers smooth a ring of samples in lock step; they wait between reading and writing, but not between writing and the next round's reading.
#include <array>
#include <barrier>
#include <cmath>
#include <cstdio>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

class RingSmoother {
public:
  static constexpr std::size_t width = 4;

  RingSmoother() : round_done_(static_cast<std::ptrdiff_t>(width)) {
    for (std::size_t i = 0; i < width; ++i) level_[i] = i % 2 == 0 ? 100.0 : 20.0;
  }

  void run(int rounds) {
    std::vector<std::jthread> workers;
    for (std::size_t i = 0; i < width; ++i) workers.emplace_back([this, i, rounds] { smooth(i, rounds); });
  }

  double mean() const { return std::accumulate(level_.begin(), level_.end(), 0.0) / width; }

  double spread() const {
    double worst = 0;
    for (double v : level_) worst = std::fmax(worst, std::fabs(v - mean()));
    return worst;
  }

private:
  void smooth(std::size_t me, int rounds) {
    const std::size_t left = (me + width - 1) % width;
    const std::size_t right = (me + 1) % width;
    double own = initial(me);
    for (int r = 0; r < rounds; ++r) {
      double neighbours = level_[left] + level_[right]; // RACE level
      round_done_.arrive_and_wait();
      own = 0.5 * own + 0.25 * neighbours;
      level_[me] = own; // RACE level
    }
  }

  static double initial(std::size_t i) { return i % 2 == 0 ? 100.0 : 20.0; }

  std::array<double, width> level_{};
  std::barrier<> round_done_;
};

int main() {
  auto smoother = std::make_unique<RingSmoother>();
  std::printf("before: mean %.1f spread %.1f\n", smoother->mean(), smoother->spread());
  smoother->run(40);
  std::printf("after: spread %s\n", smoother->spread() < 40.0 ? "small" : "large");
}
