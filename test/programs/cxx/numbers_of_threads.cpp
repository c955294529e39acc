// Each thread's function has a number of its own, which it captured: the element of that number of a global array is its
// own; the first one is not.
#include <thread>
#include <vector>

static int parts[5];
static int shared[5];

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([i] {
      parts[i] += i;             // NORACE
      shared[i] = i;             // RACE first
      if (i == 3) shared[0] = 7; // RACE first
    });
  for (std::thread &thread : threads) thread.join();
  return parts[0] + shared[0] > 100;
}
