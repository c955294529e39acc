// Fences order what relaxed accesses alone do not.
#include <atomic>
#include <cstdio>
#include <thread>

static int fenced;
static int bare;
static std::atomic<int> fencedFlag;
static std::atomic<int> bareFlag;

static void produce() {
  fenced = 1; // NORACE
  std::atomic_thread_fence(std::memory_order_release);
  fencedFlag.store(1, std::memory_order_relaxed);
  bare = 1; // RACE bare MISSED confirm: interleavings alone cannot bring them together
  bareFlag.store(1, std::memory_order_relaxed);
}

static int consume() {
  while (fencedFlag.load(std::memory_order_relaxed) == 0) std::this_thread::yield();
  std::atomic_thread_fence(std::memory_order_acquire);
  int sum = fenced; // NORACE
  while (bareFlag.load(std::memory_order_relaxed) == 0) std::this_thread::yield();
  return sum + bare; // RACE bare
}

int main() {
  std::thread producer(produce);
  int sum = consume();
  producer.join();
  std::printf("%d\n", sum);
  return 0;
}
