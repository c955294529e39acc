// std::lock takes all that it is given: mutexes, which guards adopt, or guards that were told to wait with it.
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int balance = 100, moves = 0;
};

static void adopt(Account &from, Account &to) {
  std::lock(from.mutex, to.mutex);
  std::lock_guard<std::mutex> first(from.mutex, std::adopt_lock), second(to.mutex, std::adopt_lock);
  from.balance -= 1; // NORACE
  to.balance += 1;   // NORACE
}

static void defer(Account &from, Account &to) {
  {
    std::unique_lock<std::mutex> first(from.mutex, std::defer_lock), second(to.mutex, std::defer_lock);
    std::lock(first, second);
    from.balance -= 2; // NORACE
    to.balance += 2;   // NORACE
  }
  ++from.moves; // RACE moves SELF
}

int main() {
  Account a, b;
  std::thread one([&] { adopt(a, b); }), other([&] { defer(b, a); }), third([&] { defer(b, a); });
  one.join();
  other.join();
  third.join();
  return a.balance + b.balance != 200; // NORACE
}
