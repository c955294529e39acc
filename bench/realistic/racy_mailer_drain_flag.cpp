// SHOWN
// FLAGS -std=c++20
// A mail spooler's drain request sets the flag without the mutex that the condition variable's waiters hold.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

class Spooler {
public:
  explicit Spooler(unsigned senders) {
    for (unsigned i = 0; i < senders; ++i) senders_.emplace_back(&Spooler::send_loop, this);
  }

  void submit(std::string mail) {
    {
      std::lock_guard lock(mu_);
      outbox_.push_back(std::move(mail));
    }
    wake_.notify_one();
  }

  void drain() {
    draining_ = true; // RACE drain
    wake_.notify_all();
    for (auto &s : senders_) s.join();
  }

  int sent() {
    std::lock_guard lock(mu_);
    return sent_;
  }

private:
  void send_loop() {
    std::unique_lock lock(mu_);
    for (;;) {
      if (outbox_.empty()) {
        if (draining_) // RACE drain
          return;
        wake_.wait_for(lock, std::chrono::milliseconds(1));
        continue;
      }
      std::string mail = std::move(outbox_.front());
      outbox_.pop_front();
      lock.unlock();
      deliver(mail);
      lock.lock();
      ++sent_;
    }
  }

  static void deliver(const std::string &mail) { std::this_thread::sleep_for(std::chrono::microseconds(mail.size())); }

  std::mutex mu_;
  std::condition_variable wake_;
  std::deque<std::string> outbox_;
  bool draining_ = false;
  int sent_ = 0;
  std::vector<std::thread> senders_;
};

int main() {
  auto spooler = std::make_unique<Spooler>(2u);
  for (int i = 0; i < 60; ++i) spooler->submit("Dear customer " + std::to_string(i));
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  spooler->drain();
  std::printf("sent %d\n", spooler->sent());
}
