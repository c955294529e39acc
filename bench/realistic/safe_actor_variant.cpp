// SHOWN
// FLAGS -std=c++20
// Actors with mailboxes of variants: an actor's state belongs to its thread alone.
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <variant>
#include <vector>

struct Deposit {
  std::string owner;
  long amount;
};
struct Print {
  std::string title;
};
struct Stop {};
using Mail = std::variant<Deposit, Print, Stop>;

class Actor {
public:
  virtual ~Actor() = default;
  void start() {
    thread_ = std::thread([this] { run(); });
  }
  void send(Mail mail) {
    std::lock_guard<std::mutex> guard(mutex_);
    mailbox_.push_back(std::move(mail));
    arrived_.notify_one();
  }
  void join() { thread_.join(); }

protected:
  virtual void receive(Deposit &deposit) = 0;
  virtual void receive(Print &print) = 0;

private:
  void run() {
    for (;;) {
      Mail mail = next();
      if (std::holds_alternative<Stop>(mail)) return;
      if (auto *deposit = std::get_if<Deposit>(&mail)) receive(*deposit);
      if (auto *print = std::get_if<Print>(&mail)) receive(*print);
    }
  }
  Mail next() {
    std::unique_lock<std::mutex> lock(mutex_);
    arrived_.wait(lock, [this] { return !mailbox_.empty(); });
    Mail mail = std::move(mailbox_.front());
    mailbox_.pop_front();
    return mail;
  }
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Mail> mailbox_;
  std::thread thread_;
};

class Ledger : public Actor {
public:
  long total() const { return total_; } // NORACE after join

private:
  void receive(Deposit &deposit) override {
    balances_[deposit.owner] += deposit.amount; // NORACE
    total_ += deposit.amount;                   // NORACE
    deposit.amount = 0;                         // NORACE
  }
  void receive(Print &print) override {
    printed_ += print.title + std::to_string(balances_.size()); // NORACE
  }
  std::map<std::string, long> balances_;
  std::string printed_;
  long total_ = 0;
};

int main() {
  std::vector<std::unique_ptr<Ledger>> ledgers;
  for (int i = 0; i < 2; ++i) {
    ledgers.push_back(std::make_unique<Ledger>());
    ledgers.back()->start();
  }
  std::vector<std::thread> clients;
  for (int c = 0; c < 2; ++c)
    clients.emplace_back([&ledgers, c] {
      for (int i = 0; i < 20; ++i) {
        ledgers[i % 2]->send(Deposit{"client" + std::to_string(c), i});
        if (i % 7 == 0) ledgers[(i + 1) % 2]->send(Print{"balances"});
      }
    });
  for (auto &client : clients) client.join();
  long total = 0;
  for (auto &ledger : ledgers) {
    ledger->send(Stop{});
    ledger->join();
    total += ledger->total();
  }
  std::printf("%ld\n", total);
  return 0;
}
