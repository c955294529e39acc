// VERBS check confirm
// A thread that runs a member function, joined only if there is one; the destructor joins, too.
#include <atomic>
#include <mutex>
#include <thread>

class Ticker {
public:
  ~Ticker() { stop(); }
  void start() { thread_ = std::thread(&Ticker::run, this); }
  void stop() {
    stopping_ = true;
    if (thread_.joinable()) thread_.join();
    last_ = ticks_; // NORACE whoever did not join had nothing to join
  }
  long peek() const {
    return ticks_; // RACE ticks
  }
  long guarded() {
    std::lock_guard hold(gate_);
    return guarded_; // NORACE
  }

private:
  void run() {
    while (!stopping_) {
      ++ticks_; // RACE ticks
      std::lock_guard hold(gate_);
      ++guarded_; // NORACE
    }
  }

  std::atomic<bool> stopping_ = false;
  std::mutex gate_;
  long ticks_ = 0;
  long guarded_ = 0;
  long last_ = 0;
  std::thread thread_;
};

int main() {
  Ticker ticker;
  ticker.start();
  long sum = ticker.peek() + ticker.guarded();
  ticker.stop();
  return sum + ticker.peek() < 0;
}
