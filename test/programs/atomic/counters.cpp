// VERBS check
// FLAGS -std=c++20
// SHOWN
// Who counts, or takes a number, comes after nobody, whatever else counts in the same loop; nor does who was counted before.
#include <atomic>
#include <thread>

static std::atomic<int> served{0}, next{0}, left{100}, ready{0};
static long counted, taken, remaining, started;

static void work() {
  for (int i = 0; i < 60; ++i) {
    served.fetch_add(1);
    counted += 1;  // RACE counted SELF
  }
  for (;;) {
    int i = next++;
    if (i >= 60) break;
    taken += i;  // RACE taken SELF
  }
  while (left.load() > 0) {
    remaining += 1;  // RACE remaining SELF
    left.fetch_sub(1);
  }
  ready.fetch_add(1);
  while (ready < 2) std::this_thread::yield();
  started += 1;  // RACE started SELF

}

int main() {
  std::thread a(work), b(work);
  a.join();
  b.join();
  return counted + taken + remaining + started < 0;
}
