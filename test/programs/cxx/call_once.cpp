// VERBS check confirm
// What std::call_once runs is done once, and before everybody who asked: but not before those who did not ask.
#include <mutex>
#include <thread>

static std::once_flag flag;
static int *table;
static int size;

static void fill() {
  table = new int[8](); // RACE early
  size = 8;             // NORACE
}

static int ask() {
  std::call_once(flag, fill);
  return table[0] + size; // NORACE
}

static bool isFilled() {
  return table != nullptr; // RACE early
}

int main() {
  int sum = 0;
  std::thread other([&sum] { sum = ask(); });
  bool early = isFilled();
  other.join();
  return early && sum + ask() < 0;
}
