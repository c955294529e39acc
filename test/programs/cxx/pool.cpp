// VERBS check confirm
// A pool of workers that takes std::function from a queue. What each worker has on its stack is its own, however many
// there are; the queue is guarded; what is done outside the lock is not.
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

class Pool {
public:
  explicit Pool(int workers) {
    for (int i = 0; i < workers; ++i) workers_.emplace_back([this] { work(); });
  }
  ~Pool() { stop(); }

  void submit(std::function<void()> task) {
    {
      std::lock_guard hold(gate_);
      tasks_.push(std::move(task)); // NORACE
    }
    wake_.notify_one();
  }

  void stop() {
    {
      std::lock_guard hold(gate_);
      if (stopping_) return;
      stopping_ = true;
    }
    wake_.notify_all();
    for (std::thread &worker : workers_) worker.join();
  }

  long done() const { return done_; } // NORACE all workers were joined

private:
  void work() {
    for (;;) {
      std::function<void()> task;
      {
        std::unique_lock hold(gate_);
        wake_.wait(hold, [this] { return stopping_ || !tasks_.empty(); });
        if (tasks_.empty()) return;
        task = std::move(tasks_.front()); // NORACE
        tasks_.pop();
      }
      task();
      ++done_; // RACE done SELF
    }
  }

  std::vector<std::thread> workers_;
  std::queue<std::function<void()>> tasks_;
  std::mutex gate_;
  std::condition_variable wake_;
  bool stopping_ = false;
  long done_ = 0;
};

int main() {
  Pool pool(4);
  for (int i = 0; i < 100; ++i) pool.submit([] {});
  pool.stop();
  return pool.done() < 0;
}
