// FLAGS -std=c++20
// SHOWN
// A thread pool class: results are recorded under the lock; in the catch block the guard of the try block is gone.
#include <condition_variable>
#include <deque>
#include <functional>
#include <iostream>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

class Pool {
public:
  using Job = std::function<int()>;

  explicit Pool(unsigned workers) {
    for (unsigned i = 0; i < workers; ++i) threads_.emplace_back(&Pool::loop, this);
  }

  ~Pool() { finish(); }

  void submit(Job job) {
    {
      std::lock_guard lock(mutex_);
      jobs_.push_back(std::move(job));
    }
    wake_.notify_one();
  }

  void finish() {
    {
      std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_all();
    for (auto &thread : threads_)
      if (thread.joinable()) thread.join();
  }

  long sum() const { return sum_; }
  int failures() const { return failures_; }

private:
  void loop() {
    for (;;) {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
      if (jobs_.empty()) return;
      Job job = std::move(jobs_.front());
      jobs_.pop_front();
      lock.unlock();
      try {
        int value = job();
        std::lock_guard guard(mutex_);
        sum_ += value;
      } catch (const std::exception &) {
        ++failures_; // RACE failures SELF
      }
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Job> jobs_;
  std::vector<std::thread> threads_;
  bool stopping_ = false;
  long sum_ = 0;
  int failures_ = 0;
};

static int parse(const std::string &text) {
  std::size_t used = 0;
  int value = std::stoi(text, &used);
  if (used != text.size()) throw std::invalid_argument("rest");
  return value;
}

int main() {
  Pool pool(3);
  for (int i = 0; i < 40; ++i) {
    std::string text = i % 3 ? std::to_string(i) : "x" + std::to_string(i);
    pool.submit([text] { return parse(text); });
  }
  pool.finish();
  std::cout << pool.sum() << " " << pool.failures() << "\n";
}
