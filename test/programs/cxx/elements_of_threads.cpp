// VERBS check confirm
// ARGS 2 3
// Each thread is given the element of a container that is its own, by a pointer or by a number that it captures.
#include <cstdlib>
#include <thread>
#include <vector>

struct Part {
  int number = 0, sum = 0;
};

static void work(Part *part) { part->sum += part->number; } // NORACE

struct Shared {
  int sum = 0;
};

static void workTogether(Shared *shared) { shared->sum += 1; } // RACE sum SELF

int main(int count, char **) {
  std::vector<Part> parts(count);
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) {
    parts[i].number = i; // NORACE
    threads.emplace_back(work, &parts[i]);
  }
  for (std::thread &thread : threads) thread.join();
  threads.clear();

  std::vector<int> sums(count);
  for (int i = 0; i < count; ++i) threads.emplace_back([&sums, i] { sums[i] = i; }); // NORACE
  for (std::thread &thread : threads) thread.join();
  threads.clear();

  Shared shared;
  for (int i = 0; i < count; ++i) threads.emplace_back(workTogether, &shared);
  for (std::thread &thread : threads) thread.join();
  int sum = shared.sum;
  for (const Part &part : parts) sum += part.sum; // NORACE
  for (int each : sums) sum += each;              // NORACE
  return sum < 0;
}
