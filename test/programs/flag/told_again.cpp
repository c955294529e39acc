// VERBS check
// SHOWN
// Who writes a variable and sets a flag again and again, and waits for nobody, may be at the next value already while the other one reads. Who waits until the
// flag is taken back is not; nor is who says first that it begins, and then that it is done.
#include <atomic>
#include <cstdio>
#include <thread>

static std::atomic<bool> fresh{false}, full{false};
static std::atomic<int> state{0};
static int latest, passed, prepared;

static void tell() {
  for (int i = 0; i < 100; ++i) {
    latest = i; // RACE latest
    fresh.store(true, std::memory_order_release);
  }
  for (int i = 0; i < 100; ++i) {
    while (full.load(std::memory_order_acquire)) {}
    passed = i; // NORACE
    full.store(true, std::memory_order_release);
  }
  state.store(1, std::memory_order_release);
  prepared = 1; // NORACE
  state.store(2, std::memory_order_release);
}

int main() {
  std::thread teller(tell);
  while (!fresh.load(std::memory_order_acquire)) {}
  int sum = latest; // RACE latest
  for (int i = 0; i < 100; ++i) {
    while (!full.load(std::memory_order_acquire)) {}
    sum += passed; // NORACE
    full.store(false, std::memory_order_release);
  }
  while (state.load(std::memory_order_acquire) != 2) {}
  sum += prepared; // NORACE
  teller.join();
  std::printf("%d\n", sum);
}
