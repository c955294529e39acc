// VERBS check run confirm
// FLAGS -std=c++20
// SHOWN
// What main has made for objects that run threads: by std::make_shared and std::make_unique, which allocate deep in the library.
// The first member of such an object is a reference: no table of virtual functions, though a call through a pointer to a member
// looks for one there.
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

struct Account {
  std::mutex lock;
  int balance = 0;
  int audited = 0;
  void pay(int i) {
    std::lock_guard<std::mutex> guard(lock);
    balance += i;  // RACE balance
    audited += i;  // NORACE
  }
  void correct(int i) { balance += i; }  // RACE balance
  int audit() {
    std::lock_guard<std::mutex> guard(lock);
    return audited;  // NORACE
  }
};

class Teller {
 public:
  explicit Teller(Account &account) : account_(account) {}
  void start() { thread_ = std::thread(&Teller::work, this); }
  void join() { thread_.join(); }

 private:
  void work() {
    for (int i = 0; i < 3; i++) account_.pay(i);
  }
  Account &account_;
  std::thread thread_;
};

struct Journal {
  std::mutex lock;
  std::optional<int> last;
  void note(int i) {
    std::lock_guard<std::mutex> guard(lock);
    last = i;  // RACE last
  }
  int peek() { return last ? *last : 0; }  // RACE last
};

class Clerk {
 public:
  explicit Clerk(Journal &journal) : journal_(journal) {}
  void start() { thread_ = std::thread(&Clerk::work, this); }
  void join() { thread_.join(); }

 private:
  void work() { journal_.note(1); }
  Journal &journal_;
  std::thread thread_;
};

int main() {
  auto account = std::make_unique<Account>();
  auto journal = std::make_shared<Journal>();

  Teller teller(*account);
  Clerk clerk(*journal);
  teller.start();
  clerk.start();
  account->correct(4);
  int seen = account->audit() + journal->peek();
  teller.join();
  clerk.join();
  return seen == 12345;
}
