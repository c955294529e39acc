// SHOWN
// FLAGS -std=c++20
// Accounts have a lock each; the audit holds that of the bank instead.
#include <cstdio>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

class Account {
public:
  Account(int id, long balance) : id_(id), balance_(balance) {}
  int id() const { return id_; }

  static void transfer(Account &from, Account &to, long amount) {
    if (&from == &to) return;
    std::scoped_lock guard(from.mutex_, to.mutex_);
    if (from.balance_ < amount) throw std::runtime_error("insufficient funds");
    from.balance_ -= amount; // RACE debit
    to.balance_ += amount;   // RACE credit
  }
  long balance() const {
    std::lock_guard guard(mutex_);
    return balance_; // NORACE
  }

private:
  friend class Bank;
  const int id_;
  mutable std::mutex mutex_;
  long balance_;
};

class Bank {
public:
  Account &open(long balance) {
    std::lock_guard guard(mutex_);
    accounts_.push_back(std::make_unique<Account>(static_cast<int>(accounts_.size()), balance));
    return *accounts_.back();
  }
  Account &at(std::size_t i) {
    std::lock_guard guard(mutex_);
    return *accounts_.at(i);
  }
  long audit() const {
    std::lock_guard guard(mutex_);
    long sum = 0;
    for (const auto &account : accounts_) sum += account->balance_; // RACE debit credit
    return sum;
  }

private:
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Account>> accounts_;
};

int main() {
  Bank bank;
  for (int i = 0; i < 4; ++i) bank.open(1000);
  std::vector<std::thread> tellers;
  for (int t = 0; t < 3; ++t)
    tellers.emplace_back([&bank, t] {
      for (int i = 0; i < 50; ++i) {
        try {
          Account::transfer(bank.at((t + i) % 4), bank.at((t + 3 * i + 1) % 4), 10 + i);
        } catch (const std::runtime_error &) {
        }
      }
    });
  long seen = 0;
  for (int i = 0; i < 20; ++i) seen += bank.audit();
  for (auto &teller : tellers) teller.join();
  long sum = 0;
  for (int i = 0; i < 4; ++i) sum += bank.at(i).balance();
  std::printf("%ld %d\n", sum, seen > 0);
  return 0;
}
