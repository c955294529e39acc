// VERBS confirm
// Two workers, a hundred orders each; one order of each moves money, in opposite directions, and these are far apart. A ticker that never
// rests goes on when the two have stopped for ever.
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

namespace {

struct Account {
  std::mutex gate;
  long cents = 1000;
};

Account left, right;
std::atomic<bool> open{true};
std::atomic<int> ticks{0};

void transfer(Account &from, Account &to) {
  std::lock_guard holdFrom(from.gate);
  std::lock_guard holdTo(to.gate); // DEADLOCK opposite
  from.cents -= 1;
  to.cents += 1;
}

void serve(Account &from, Account &to, int rare) {
  for (int number = 0; number < 100; ++number) {
    if (number == rare) transfer(from, to);
    if (number % 10 == 0) std::this_thread::sleep_for(std::chrono::microseconds(300));
  }
}

} // namespace

int main() {
  std::thread ticker([] {
    while (open) {
      ++ticks;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  std::thread early([] { serve(left, right, 5); });
  std::thread late([] { serve(right, left, 95); });
  early.join();
  late.join();
  open = false;
  ticker.join();
  return left.cents + right.cents == 2000 ? 0 : 1;
}
