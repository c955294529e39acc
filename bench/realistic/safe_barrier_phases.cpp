// SHOWN
// FLAGS -std=c++20
// A stencil over two buffers: ranges per thread, phases kept apart by a barrier.
#include <algorithm>
#include <barrier>
#include <cstdio>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

class Heat {
public:
  Heat(std::size_t cells, unsigned threads)
      : current_(cells, 0.0), next_(cells, 0.0), threads_(threads), barrier_(threads, Swap{this}) {
    current_[cells / 2] = 100.0;
  }
  void simulate(int steps) {
    std::vector<std::thread> workers;
    for (unsigned i = 0; i < threads_; ++i) workers.emplace_back(&Heat::work, this, i, steps);
    for (auto &worker : workers) worker.join();
  }
  double total() const {
    double sum = 0;
    for (double cell : current_) sum += cell;
    return sum;
  }
  int swaps() const { return swaps_; }

private:
  struct Swap {
    Heat *heat;
    void operator()() noexcept {
      heat->current_.swap(heat->next_); // NORACE all threads are at the barrier
      heat->swaps_ += 1;                // NORACE
    }
  };
  void work(unsigned self, int steps) {
    const std::size_t n = current_.size(), chunk = (n + threads_ - 1) / threads_;
    const std::size_t begin = self * chunk, end = std::min(n, begin + chunk);
    for (int step = 0; step < steps; ++step) {
      for (std::size_t i = begin; i < end; ++i) {
        double left = i > 0 ? current_[i - 1] : current_[i];              // NORACE
        double right = i + 1 < n ? current_[i + 1] : current_[i];         // NORACE
        next_[i] = current_[i] + 0.25 * (left - 2 * current_[i] + right); // NORACE
      }
      barrier_.arrive_and_wait();
    }
  }
  std::vector<double> current_, next_;
  const unsigned threads_;
  int swaps_ = 0;
  std::barrier<Swap> barrier_;
};

int main() {
  Heat heat(64, 3);
  heat.simulate(6);
  std::printf("%g %d\n", heat.total(), heat.swaps());
  return 0;
}
