// Each thread has a part of an array, by bounds that a lambda captures or that a function gets as arguments. A position
// that all of them share is nobody's own, though each gets to it by its own object.
#include <cstddef>
#include <thread>
#include <vector>

struct Shared {
  int position = 3;
};

struct Job {
  Shared *shared;
  int number;
};

static int squares[64];
static int marks[8];
static int places[8];

static void fill(int begin, int end) {
  for (int i = begin; i != end; ++i) squares[i] = i * i; // NORACE
}

static void mark(Job *job) { marks[job->shared->position] = job->number; } // RACE marks SELF

int main() {
  constexpr std::size_t kCount = 100, kWorkers = 3;
  std::vector<double> out(kCount);
  std::vector<double> partial(kWorkers);
  std::vector<std::thread> threads;
  double total = 0;
  int position = 2;
  for (std::size_t worker = 0; worker < kWorkers; ++worker) {
    std::size_t first = worker * kCount / kWorkers, last = (worker + 1) * kCount / kWorkers;
    threads.emplace_back([&, worker, first, last] {
      double sum = 0;
      for (std::size_t i = first; i < last; ++i) {
        out[i] = static_cast<double>(i); // NORACE
        sum += out[i];                   // NORACE
      }
      partial[worker] = sum; // NORACE
      total += sum;          // RACE total SELF
      places[position] = 1;  // RACE places SELF
    });
  }
  for (std::thread &thread : threads) thread.join();
  threads.clear();

  std::thread left(fill, 0, 32), right(fill, 32, 64);
  left.join();
  right.join();

  Shared shared;
  std::vector<Job> jobs(kWorkers);
  for (std::size_t i = 0; i < kWorkers; ++i) {
    jobs[i] = {&shared, static_cast<int>(i)};
    threads.emplace_back(mark, &jobs[i]);
  }
  for (std::thread &thread : threads) thread.join();
  return partial[0] > total + marks[3] + places[2] + squares[5];
}
