// VERBS check run
// FLAGS -std=c++20 -Wall
// SHOWN
// Particle simulation: std::barrier between the phases; its completion function sums and sets the next time step.
#include <barrier>
#include <cmath>
#include <cstdio>
#include <span>
#include <thread>
#include <vector>

struct Particle {
  double x = 0, v = 0, f = 0;
};

class Simulation {
public:
  Simulation(std::size_t n, int threads) : particles_(n), partial_(threads), threads_(threads) {
    for (std::size_t i = 0; i < n; ++i) particles_[i].x = static_cast<double>(i) * 1.1;
  }

  double run(int steps) {
    auto settle = [this]() noexcept {
      energy_ = 0;
      for (double p : partial_) energy_ += p;
      dt_ = energy_ > 10 ? 0.001 : 0.01;
    };
    std::barrier<> forces_done(threads_);
    std::barrier step_done(threads_, settle);
    std::vector<std::jthread> pool;
    for (int t = 0; t < threads_; ++t)
      pool.emplace_back([&, t] {
        for (int s = 0; s < steps; ++s) {
          forces(t);
          forces_done.arrive_and_wait();
          partial_[static_cast<std::size_t>(t)] = move(t); // NORACE
          step_done.arrive_and_wait();
        }
      });
    pool.clear();
    return energy_;
  }

private:
  std::span<Particle> mine(int t) {
    const std::size_t n = particles_.size() / static_cast<std::size_t>(threads_);
    const std::size_t first = n * static_cast<std::size_t>(t);
    return std::span(particles_).subspan(first, t == threads_ - 1 ? std::dynamic_extent : n);
  }
  void forces(int t) {
    for (auto &p : mine(t)) {
      double f = 0;
      for (const auto &q : particles_)
        if (&p != &q) f += 1.0 / (q.x - p.x);
      p.f = f; // NORACE
    }
  }
  double move(int t) {
    double e = 0;
    for (auto &p : mine(t)) {
      p.v += p.f * dt_; // NORACE
      p.x += p.v * dt_; // NORACE
      e += p.v * p.v / 2;
    }
    return e;
  }

  std::vector<Particle> particles_;
  std::vector<double> partial_;
  int threads_;
  double energy_ = 0, dt_ = 0.01;
};

int main() {
  Simulation s(20, 3);
  double e = s.run(8);
  std::printf("%g\n", e);
  return std::isfinite(e) ? 0 : 1;
}
