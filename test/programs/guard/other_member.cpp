// SHOWN
// Two locks in one object: who holds the one does not keep out who holds the other. Objects with a lock each are kept apart by it.
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

struct Account {
  std::mutex reading, writing;
  long balance = 0;
  long visits = 0;

  void deposit() {
    std::lock_guard<std::mutex> hold(writing);
    balance += 10; // RACE balance
    visits += 1;   // NORACE
  }
  long show() {
    std::lock_guard<std::mutex> hold(reading);
    return balance; // RACE balance
  }
  void visit() {
    std::lock_guard<std::mutex> hold(writing);
    visits += 1; // NORACE
  }
};

class Clerk {
public:
  explicit Clerk(std::shared_ptr<Account> account) : account_(std::move(account)) {}
  void start() {
    thread_ = std::thread(&Clerk::run, this);
  }
  void join() { thread_.join(); }

private:
  void run() {
    for (int i = 0; i < 10; ++i) {
      account_->deposit();
      account_->visit();
      pages_.push_back(i); // NORACE
    }
  }
  std::shared_ptr<Account> account_;
  std::vector<int> pages_;
  std::thread thread_;
};

int main() {
  std::vector<std::shared_ptr<Account>> accounts;
  for (int i = 0; i < 3; ++i) accounts.push_back(std::make_shared<Account>());
  Clerk first(accounts[0]), second(accounts[0]);
  first.start();
  second.start();
  long seen = accounts[0]->show();
  first.join();
  second.join();
  return seen < 0;
}
