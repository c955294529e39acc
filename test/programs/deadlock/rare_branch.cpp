// VERBS confirm
// A pool serves a hundred transfers; two of them go against the order of all others, and they are far apart. The other workers and a ticker that
// never rests go on when two have stopped for ever.
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

namespace {

struct Account {
  std::mutex gate;
  long cents = 1000;
};

Account left, right;
std::atomic<int> next{0};
std::atomic<bool> open{true};
std::atomic<int> ticks{0};

void transfer(Account &from, Account &to) {
  std::lock_guard holdFrom(from.gate);
  std::lock_guard holdTo(to.gate); // DEADLOCK opposite
  from.cents -= 1;
  to.cents += 1;
}

void serve() {
  for (int number; (number = next++) < 100;) {
    if (number == 10) transfer(left, right);
    if (number == 90) transfer(right, left);
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
  std::vector<std::thread> workers;
  for (int worker = 0; worker < 3; ++worker) workers.emplace_back(serve);
  for (std::thread &worker : workers) worker.join();
  open = false;
  ticker.join();
  return left.cents + right.cents == 2000 ? 0 : 1;
}
