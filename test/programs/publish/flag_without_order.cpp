// A plain flag says that the data is there, but orders nothing; an atomic one does.
#include <atomic>
#include <cstdio>
#include <thread>

static int plainValue;
static bool plainReady;
static int orderedValue;
static std::atomic<bool> orderedReady;

static void produce() {
  plainValue = 42;   // RACE value
  plainReady = true; // RACE flag
  orderedValue = 7;  // NORACE
  orderedReady.store(true, std::memory_order_release);
}

static int consume() {
  int sum = 0;
  const bool ready = plainReady; // RACE flag
  sum += plainValue * ready;     // RACE value
  while (!orderedReady.load(std::memory_order_acquire)) std::this_thread::yield();
  return sum + orderedValue; // NORACE the flag was read with acquire
}

int main() {
  std::thread producer(produce);
  int sum = consume();
  producer.join();
  std::printf("%s\n", sum == 7 || sum == 49 ? "fine" : "torn");
  return 0;
}
