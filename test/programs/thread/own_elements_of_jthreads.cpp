// VERBS check run
// FLAGS -std=c++20
// SHOWN
// Threads whose loop gives each a reference or a pointer to an element: of its own number, or of one that two of them have.
#include <array>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

constexpr std::size_t kThreads = 4;

struct Log {
  std::mutex mutex;
  int lines = 0;
};

static int referred(Log &log) {
  std::vector<int> sums(kThreads);
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < kThreads; ++t)
      threads.emplace_back([&sum = sums[t], &log] {
        sum++; // NORACE
        std::lock_guard hold(log.mutex);
        log.lines++; // NORACE
      });
  }
  return sums[0];
}

static long pointed() {
  std::array<long, kThreads> sums{};
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < kThreads; ++t)
      threads.emplace_back([sum = &sums[t]] {
        ++*sum; // NORACE
      });
  }
  return sums[0];
}

static int moved() {
  std::vector<short> sums(kThreads + 1);
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < kThreads; ++t)
      threads.emplace_back([&sum = sums[t + 1]] {
        sum++; // NORACE
      });
  }
  return sums[1];
}

static float halves() {
  std::vector<float> sums(kThreads);
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < kThreads; ++t)
      threads.emplace_back([&sum = sums[t / 2]] {
        sum += 1; // RACE half SELF
      });
  }
  return sums[0];
}

static double parities(Log &log) {
  std::array<double, kThreads> sums{};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < kThreads; ++t)
    threads.emplace_back([&sum = sums[t % 2], &log] {
      sum += 1; // RACE parity SELF
      std::lock_guard hold(log.mutex);
      log.lines++; // NORACE
    });
  for (std::thread &thread : threads) thread.join();
  return sums[0];
}

int main() {
  Log log;
  return referred(log) + pointed() + moved() != 3 || halves() < 1 || parities(log) < 1;
}
