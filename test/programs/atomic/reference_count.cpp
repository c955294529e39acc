// The last to let go destroys: each release must be before that.
#include <atomic>
#include <cstdio>
#include <thread>

struct Shared {
  std::atomic<int> count{2};
  int payload = 0;
  int log = 0;
};

static void letGo(Shared *shared) {
  if (shared->count.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    std::printf("%d\n", shared->payload); // NORACE
    delete shared;                        // NORACE
  }
}

static void use(Shared *shared, int value) {
  if (value == 1) shared->payload = value; // FALSE check: one thread has that value
  shared->log += value;                    // RACE log SELF
  letGo(shared);
}

int main() {
  auto *shared = new Shared;
  std::thread first(use, shared, 1), second(use, shared, 2);
  first.join();
  second.join();
  return 0;
}
