// SHOWN
// FLAGS -std=c++20
// A parallel for with the first exception kept, ranges by index, and a scope guard that joins.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

class Joiner {
public:
  explicit Joiner(std::vector<std::thread> &threads) : threads_(threads) {}
  ~Joiner() {
    for (auto &thread : threads_)
      if (thread.joinable()) thread.join();
  }

private:
  std::vector<std::thread> &threads_;
};

template <class Body> void parallelFor(std::size_t n, unsigned workers, Body body) {
  std::mutex mutex;
  std::exception_ptr first;
  std::atomic<bool> cancelled{false};
  {
    std::vector<std::thread> threads;
    Joiner joiner(threads);
    for (unsigned w = 0; w < workers; ++w) {
      const std::size_t begin = n * w / workers, end = n * (w + 1) / workers;
      threads.emplace_back([&, begin, end] {
        try {
          for (std::size_t i = begin; i < end && !cancelled; ++i) body(i);
        } catch (...) {
          std::lock_guard<std::mutex> guard(mutex);
          if (!first) first = std::current_exception(); // NORACE
          cancelled = true;
        }
      });
    }
  }
  if (first) std::rethrow_exception(first); // NORACE joined
}

int main() {
  std::vector<int> in(100), out(100);
  for (int i = 0; i < 100; ++i) in[i] = 100 - i;
  parallelFor(in.size(), 3, [&](std::size_t i) { out[i] = in[i] * 2; }); // NORACE
  long sum = 0;
  for (int value : out) sum += value; // NORACE
  std::string what;
  try {
    parallelFor(in.size(), 3, [&in](std::size_t i) {
      if (in[i] == 13) throw std::runtime_error("thirteen");
      in[i] += 1; // NORACE
    });
  } catch (const std::exception &error) {
    what = error.what();
  }
  std::printf("%ld %s\n", sum, what.c_str());
  return 0;
}
