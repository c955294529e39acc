// SHOWN
// FLAGS -std=c++20
// Transfers lock two accounts at once with scoped_lock in whatever order; the audit collects all the locks in a vector, and fees go through adopted locks.
#include <cstdio>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

struct Account {
  mutable std::mutex mu;
  long cents = 10000;
  unsigned postings = 0;
};

class Bank {
public:
  explicit Bank(std::size_t n) : accounts_(n) {}

  void transfer(std::size_t from, std::size_t to, long cents) {
    if (from == to) return;
    Account &a = accounts_.at(from);
    Account &b = accounts_.at(to);
    std::scoped_lock both(a.mu, b.mu);
    if (a.cents < cents) throw std::runtime_error("insufficient funds");
    a.cents -= cents; // NORACE
    b.cents += cents;
    a.postings++;
    b.postings++;
  }

  // Moves one cent from each of two accounts to the house; the locks are taken by std::lock and adopted afterwards.
  void charge(std::size_t x, std::size_t y) {
    Account &house = accounts_.front();
    Account &a = accounts_.at(x);
    Account &b = accounts_.at(y);
    std::lock(house.mu, a.mu, b.mu);
    std::unique_lock h(house.mu, std::adopt_lock);
    std::unique_lock la(a.mu, std::adopt_lock);
    std::unique_lock lb(b.mu, std::adopt_lock);
    a.cents -= 1;
    la.unlock();
    house.cents += 2; // NORACE
    b.cents -= 1;
  }

  long audit() const {
    std::vector<std::unique_lock<std::mutex>> locks;
    for (const auto &a : accounts_) locks.emplace_back(a.mu, std::defer_lock);
    for (std::size_t i = 0; i < locks.size();) {
      if (locks[i].try_lock()) {
        ++i;
        continue;
      }
      while (i > 0) locks[--i].unlock(); // back off: transfers lock in any order
      std::this_thread::yield();
    }
    long sum = 0;
    for (const auto &a : accounts_) sum += a.cents; // NORACE
    return sum;
  }

private:
  std::vector<Account> accounts_;
};

int main() {
  auto bank = std::make_unique<Bank>(6);
  std::vector<int> refused(3, 0);
  int uneven = 0;
  {
    std::vector<std::jthread> tellers;
    for (std::size_t t = 0; t < refused.size(); ++t)
      tellers.emplace_back([&bank, &mine = refused[t], t] {
        for (std::size_t i = 0; i < 150; ++i) {
          try {
            bank->transfer((i * 5 + t) % 6, (i + t * 3) % 6, 900);
            if (i % 10 == 0) bank->charge(1 + i % 4, 5);
          } catch (const std::runtime_error &) {
            ++mine;
          }
        }
      });
    for (int a = 0; a < 20; ++a) uneven += bank->audit() != 60000;
  }
  std::printf("total %ld, uneven audits %d\n", bank->audit(), uneven);
}
