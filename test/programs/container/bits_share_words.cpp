// VERBS check run
// FLAGS -std=c++17
// SHOWN
// Each thread has elements of its own, but those of a std::vector<bool> share words with those of others.
#include <mutex>
#include <thread>
#include <vector>

static std::mutex mutex;
static std::vector<bool> flags(64), locked(64);
static std::vector<char> bytes(64);

static void mark(int t) {
  for (int round = 0; round < 100; ++round)
    for (int i = t; i < 64; i += 2) {
      flags[i] = round % 3 == t; // RACE flags SELF
      bytes[i] = 1;              // NORACE
      std::lock_guard<std::mutex> guard(mutex);
      locked[i] = true; // NORACE
    }
}

int main() {
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t) threads.emplace_back(mark, t);
  for (auto &thread : threads) thread.join();
  return flags[0] && !bytes[0] ? 1 : 0;
}
