// VERBS run confirm
// A race inside the library is shown where the user's code called it.
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

static std::vector<int> guarded;
static std::vector<int> bare(8);
static std::mutex gate;

static void add(int value) {
  std::lock_guard hold(gate);
  guarded.push_back(value); // NORACE
}

static void work(int value) {
  add(value);
  bare.pop_back(); // RACE bare SELF
}

int main() {
  std::thread first(work, 1), second(work, 2);
  first.join();
  second.join();
  std::printf("%zu\n", guarded.size()); // NORACE both were joined
  return 0;
}
