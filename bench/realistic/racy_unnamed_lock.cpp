// VERBS check run confirm
// FLAGS -std=c++11
// SHOWN
// A bank whose withdraw() makes an unnamed lock, which is gone at the end of its line.
#include <iostream>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

class Account {
public:
  explicit Account(long balance) : balance_(balance) {}

  void deposit(long amount) {
    std::unique_lock<std::mutex> lock(mutex_);
    balance_ += amount; // RACE deposit test
    history_.push_back(amount);
  }

  void withdraw(long amount) {
    std::unique_lock<std::mutex>{mutex_};
    if (balance_ < amount) // RACE test testself
      throw std::runtime_error("no cover");
    balance_ -= amount; // RACE deposit testself // RACE withdraw SELF
  }

  long balance() const {
    std::unique_lock<std::mutex> lock(mutex_);
    return balance_;
  }

private:
  mutable std::mutex mutex_;
  long balance_;
  std::vector<long> history_;
};

int main() {
  Account account(1000);
  auto customer = [&account](int n) {
    for (int i = 0; i < 20; ++i) {
      account.deposit(n);
      try {
        account.withdraw(n);
      } catch (const std::exception &e) {
        std::cerr << e.what() << '\n';
      }
    }
  };
  std::thread a(customer, 5), b(customer, 7);
  a.join();
  b.join();
  std::cout << account.balance() << '\n';
  return 0;
}
