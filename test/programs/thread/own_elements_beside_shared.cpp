// VERBS check run
// FLAGS -std=c++20
// SHOWN
// Each thread gets a pointer to what all share and one to an element that the loop has chosen for it. Two loops that give the same elements
// to two functions do not give them to one thread each.
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

static void work(const int *factor, double *sum) {
  *sum += *factor; // NORACE
}

static void refer(const int &factor, float &sum) {
  sum += static_cast<float>(factor); // NORACE
}

static void add(const int *factor, long *sum) {
  *sum += *factor; // RACE sum
}

static void scale(const int *factor, long *sum) {
  *sum *= *factor; // RACE sum
}

int main() {
  const int factor = 3;
  std::vector<double> sums(3);
  std::vector<float> others(3);
  std::vector<long> shared(3);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < sums.size(); ++t) threads.emplace_back(work, &factor, &sums[t]);
  for (std::size_t t = 0; t < others.size(); ++t)
    threads.push_back(std::thread(refer, std::cref(factor), std::ref(others[t])));
  for (std::size_t t = 0; t < shared.size(); ++t) threads.emplace_back(add, &factor, &shared[t]);
  for (std::size_t t = 0; t < shared.size(); ++t) threads.emplace_back(scale, &factor, &shared[t]);
  for (auto &thread : threads) thread.join();
  return sums[0] < 0;
}
