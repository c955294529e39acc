// VERBS check
// What a container with thread storage holds is each thread's own, wherever iterators lead in it.
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

static thread_local std::unordered_map<int, long> cache;
static std::unordered_map<int, long> shared;

static long fib(int n) {
  if (n < 2) return n;
  auto found = cache.find(n);
  if (found != cache.end()) return found->second; // NORACE
  long value = fib(n - 1) + fib(n - 2);
  cache[n] = value;  // NORACE
  shared[n] = value; // RACE shared SELF
  return value;
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back([i] { fib(20 + i); });
  for (std::thread &thread : threads) thread.join();
  return 0;
}
