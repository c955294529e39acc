// SHOWN
// FLAGS -std=c++20
// A cellular automaton is double-buffered; the barrier's completion step swaps the two plain buffers and counts the generation.
#include <barrier>
#include <cstdio>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

class Automaton {
public:
  Automaton(std::size_t cells, unsigned workers)
      : front_(cells, 0), back_(cells, 0), workers_(workers),
        step_(static_cast<std::ptrdiff_t>(workers), [this]() noexcept { flip(); }) {
    for (std::size_t i = 0; i < cells; i += 7) front_[i] = 1;
  }

  void run(int generations) {
    limit_ = generations;
    std::vector<std::jthread> threads;
    for (unsigned w = 0; w < workers_; ++w) threads.emplace_back([this, w] { evolve(w); });
  }

  int generation() const { return generation_; }
  int alive() const {
    int n = 0;
    for (char c : front_) n += c;
    return n;
  }

private:
  void evolve(unsigned me) {
    const std::size_t n = front_.size();
    const std::size_t from = n * me / workers_, to = n * (me + 1) / workers_;
    while (!finished_) { // NORACE // changes only in the completion step
      for (std::size_t i = from; i < to; ++i) {
        int left = front_[(i + n - 1) % n];
        int right = front_[(i + 1) % n];
        back_[i] = static_cast<char>(left ^ right); // NORACE // neighbouring bytes
      }
      step_.arrive_and_wait();
    }
  }

  void flip() noexcept {
    std::swap(front_, back_); // NORACE
    finished_ = ++generation_ == limit_;
  }

  std::vector<char> front_;
  std::vector<char> back_;
  const unsigned workers_;
  int generation_ = 0;
  int limit_ = 0;
  bool finished_ = false;
  std::barrier<std::function<void()>> step_;
};

int main() {
  auto automaton = std::make_unique<Automaton>(101, 3u);
  automaton->run(60);
  std::printf("generation %d, alive %d\n", automaton->generation(), automaton->alive());
}
