// SHOWN
// FLAGS -std=c++20
// Account actors run on any pool thread but on one at a time; their state has no lock, only the mailbox has one.
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

class Executor {
public:
  explicit Executor(int n) {
    for (int i = 0; i < n; ++i) threads_.emplace_back([this] { loop(); });
  }
  ~Executor() {
    {
      std::lock_guard lock(mu_);
      closing_ = true;
    }
    wake_.notify_all();
    threads_.clear(); // joins, while the queue still exists
  }
  void execute(std::function<void()> task) {
    std::lock_guard lock(mu_);
    tasks_.push_back(std::move(task));
    wake_.notify_one();
  }

private:
  void loop() {
    std::unique_lock lock(mu_);
    for (;;) {
      wake_.wait(lock, [this] { return closing_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      auto task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
      lock.lock();
    }
  }
  std::mutex mu_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> tasks_;
  bool closing_ = false;
  std::vector<std::jthread> threads_;
};

template <class State> class Actor : public std::enable_shared_from_this<Actor<State>> {
public:
  using Message = std::function<void(State &)>;
  explicit Actor(Executor &ex) : ex_(ex) {}

  void tell(Message m) {
    std::lock_guard lock(mu_);
    mailbox_.push_back(std::move(m));
    if (!std::exchange(scheduled_, true)) schedule();
  }
  const State &settled() const { return state_; }

private:
  void schedule() {
    ex_.execute([self = this->shared_from_this()] { self->run_batch(); });
  }
  void run_batch() {
    for (int i = 0; i < 3; ++i) {
      Message m;
      {
        std::lock_guard lock(mu_);
        if (mailbox_.empty()) {
          scheduled_ = false;
          return;
        }
        m = std::move(mailbox_.front());
        mailbox_.pop_front();
      }
      m(state_);
    }
    schedule(); // still scheduled, perhaps on another thread
  }

  Executor &ex_;
  std::mutex mu_;
  std::deque<Message> mailbox_;
  bool scheduled_ = false;
  State state_{};
};

struct Account {
  long balance = 0;
  int postings = 0;
};

int main() {
  std::vector<std::shared_ptr<Actor<Account>>> accounts;
  {
    Executor executor(3);
    for (int a = 0; a < 3; ++a) accounts.push_back(std::make_shared<Actor<Account>>(executor));
    for (int i = 0; i < 240; ++i) {
      auto other = accounts[static_cast<std::size_t>(i + 1) % 3];
      accounts[static_cast<std::size_t>(i) % 3]->tell([i, other](Account &a) {
        a.balance -= i % 5; // NORACE
        a.postings++;
        other->tell([i](Account &b) { b.balance += i % 5; }); // NORACE
      });
    }
  }
  long sum = 0;
  int postings = 0;
  for (const auto &a : accounts) {
    sum += a->settled().balance;
    postings += a->settled().postings;
  }
  std::printf("balance %ld after %d postings\n", sum, postings);
}
