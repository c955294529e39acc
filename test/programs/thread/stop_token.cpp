// A worker that waits for work or for its std::stop_token; the library keeps what it needs for that by a lock of its own.
// FLAGS -std=c++20
#include <condition_variable>
#include <deque>
#include <mutex>
#include <stop_token>
#include <thread>
namespace {

class Adder {
public:
  Adder() : worker_([this](std::stop_token token) { run(token); }) {}
  ~Adder() {
    worker_.request_stop(); // NORACE
    filled_.notify_all();
  }
  void add(int n) {
    std::lock_guard hold(gate_);
    queue_.push_back(n);
    filled_.notify_one();
  }
private:
  void run(std::stop_token token) {
    while (true) {
      std::unique_lock hold(gate_);
      filled_.wait(hold, token, [this] { return !queue_.empty(); }); // NORACE
      if (queue_.empty()) return;
      sum_ += queue_.front();
      queue_.pop_front();
    }
  }
  std::mutex gate_;
  std::condition_variable_any filled_;
  std::deque<int> queue_;
  long sum_ = 0;
  std::jthread worker_;
};
} // namespace

int main() {
  Adder adder;
  for (int i = 0; i < 9; ++i) adder.add(i);
}
