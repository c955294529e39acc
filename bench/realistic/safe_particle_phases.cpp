// FLAGS -std=c++20
// SHOWN
// Particles in ranges, advanced in phases of a std::barrier whose completion function alone reduces and rebalances.
#include <algorithm>
#include <barrier>
#include <cmath>
#include <functional>
#include <iostream>
#include <thread>
#include <utility>
#include <vector>

struct Particle {
  double x, v;
};

class Simulation {
public:
  Simulation(std::size_t count, unsigned threads) : particles_(count), energy_(threads), threads_(threads) {
    for (std::size_t i = 0; i < count; ++i) particles_[i] = {static_cast<double>(i), 0.5 * static_cast<double>(i % 7)};
  }

  void run(int steps) {
    auto reduce = [this]() noexcept {
      total_ = 0;                                                          // NORACE
      for (double &energy : energy_) total_ += std::exchange(energy, 0.0); // NORACE
      scale_ = total_ > 500 ? 0.9 : 1.0;                                   // NORACE
      ++step_;                                                             // NORACE
    };
    std::barrier barrier(static_cast<std::ptrdiff_t>(threads_), reduce);
    std::vector<std::jthread> workers;
    for (unsigned t = 0; t < threads_; ++t)
      workers.emplace_back([&, t, steps] {
        std::size_t first = particles_.size() * t / threads_, last = particles_.size() * (t + 1) / threads_;
        while (step_ < steps) { // NORACE
          for (std::size_t i = first; i < last; ++i) advance(particles_[i]);
          energy_[t] = measure(first, last); // NORACE
          barrier.arrive_and_wait();
        }
      });
  }

  double total() const { return total_; }
  int step() const { return step_; }

private:
  void advance(Particle &p) {
    p.v *= scale_;                        // NORACE
    p.x += p.v * 0.1;                     // NORACE
    if (p.x > 100 || p.x < 0) p.v = -p.v; // NORACE
  }

  double measure(std::size_t first, std::size_t last) const {
    double sum = 0;
    for (auto i = first; i < last; ++i) sum += particles_[i].v * particles_[i].v; // NORACE
    return sum;
  }

  std::vector<Particle> particles_;
  std::vector<double> energy_;
  unsigned threads_;
  double total_ = 0, scale_ = 1;
  int step_ = 0;
};

int main() {
  Simulation simulation(90, 3);
  simulation.run(30);
  std::cout << simulation.step() << " " << (simulation.total() > 0) << "\n";
  return simulation.step() == 30 ? 0 : 1;
}
