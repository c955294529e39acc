// VERBS check
// SHOWN
// Who looks at an atomic flag with no order does not come after who has set it.
#include <atomic>
#include <thread>

static int ordered, unordered;
static std::atomic<bool> isOrdered{false}, isUnordered{false};

static void produce() {
  ordered = 1; // NORACE
  isOrdered.store(true, std::memory_order_release);
  unordered = 2; // RACE look
  isUnordered.store(true, std::memory_order_release);
}

int main() {
  std::thread producer(produce);
  while (!isUnordered.load(std::memory_order_relaxed)) std::this_thread::yield();
  int sum = unordered; // RACE look
  while (!isOrdered.load(std::memory_order_acquire)) std::this_thread::yield();
  sum += ordered; // NORACE
  producer.join();
  return sum == 0;
}
