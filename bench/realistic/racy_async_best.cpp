// SHOWN
// FLAGS -std=c++20
// A search with std::async: the best result so far is compared and set without a lock.
#include <cmath>
#include <cstdio>
#include <future>
#include <mutex>
#include <vector>

struct Candidate {
  double x = 0;
  double score = -1e9;
};

class Search {
public:
  explicit Search(double (*objective)(double)) : objective_(objective) {}

  double maximise(double from, double to, int parts) {
    std::vector<std::future<int>> futures;
    const double width = (to - from) / parts;
    for (int i = 0; i < parts; ++i)
      futures.push_back(std::async(std::launch::async, &Search::scan, this, from + i * width, from + (i + 1) * width));
    int steps = 0;
    for (auto &future : futures) steps += future.get();
    std::printf("%d steps, %zu improvements\n", steps, history_.size()); // NORACE
    return bestScore_;                                                   // NORACE
  }

private:
  int scan(double from, double to) {
    int steps = 0;
    for (double x = from; x < to; x += 0.05, ++steps) {
      const double score = objective_(x);
      if (score > bestScore_) { // RACE best
        bestScore_ = score;     // RACE best // RACE both SELF
        std::lock_guard<std::mutex> guard(mutex_);
        history_.push_back(Candidate{x, score}); // NORACE
      }
    }
    return steps;
  }
  double (*const objective_)(double);
  std::mutex mutex_;
  std::vector<Candidate> history_;
  double bestScore_ = -1e9;
};

int main() {
  Search search([](double x) { return std::sin(x) * x; });
  std::printf("%d\n", search.maximise(0, 20, 4) > 0);
  return 0;
}
