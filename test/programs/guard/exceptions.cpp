// VERBS check confirm
// An exception gives the lock back on its way out.
#include <mutex>
#include <stdexcept>
#include <thread>

static std::mutex gate;
static int checked;
static int failed;

static void check(int value) {
  std::lock_guard hold(gate);
  ++checked; // NORACE
  if (value > 1) throw std::runtime_error("too much");
}

static void work(int value) {
  try {
    check(value);
  } catch (const std::runtime_error &) {
    ++failed; // RACE failed SELF
  }
}

int main() {
  std::thread first(work, 2), second(work, 3);
  first.join();
  second.join();
  return 0;
}
