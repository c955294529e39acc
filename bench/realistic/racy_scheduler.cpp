// VERBS check run
// FLAGS -std=c++11 -Wall
// SHOWN
// Job scheduler with priorities: submit() looks at running_ before it takes the lock.
#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <queue>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <vector>

class Scheduler {
public:
  explicit Scheduler(unsigned n) {
    for (unsigned i = 0; i < n; ++i) workers_.emplace_back(&Scheduler::work, this);
  }

  ~Scheduler() {
    stop();
    for (auto &w : workers_) w.join();
  }

  void stop() {
    {
      std::unique_lock<std::mutex> lock(mutex_);
      running_ = false; // RACE running
    }
    ready_.notify_all();
  }

  template <class F> auto submit(int priority, F f) -> std::future<decltype(f())> {
    using R = decltype(f());
    if (!running_) // RACE running
      throw std::runtime_error("stopped");
    auto task = std::make_shared<std::packaged_task<R()>>(std::move(f));
    auto result = task->get_future();
    {
      std::unique_lock<std::mutex> lock(mutex_);
      jobs_.push(Job{priority, ++sequence_, [task] { (*task)(); }});
    }
    ready_.notify_one();
    return result;
  }

private:
  struct Job {
    int priority;
    unsigned long sequence;
    std::function<void()> run;
    bool operator<(const Job &other) const {
      return priority != other.priority ? priority < other.priority : sequence > other.sequence;
    }
  };

  void work() {
    for (;;) {
      std::function<void()> run;
      {
        std::unique_lock<std::mutex> lock(mutex_);
        while (running_ && jobs_.empty()) ready_.wait(lock);
        if (jobs_.empty()) return;
        run = jobs_.top().run;
        jobs_.pop();
      }
      run();
    }
  }

  std::mutex mutex_;
  std::condition_variable ready_;
  std::priority_queue<Job> jobs_;
  unsigned long sequence_ = 0;
  bool running_ = true;
  std::vector<std::thread> workers_;
};

int main() {
  int sum = 0;
  {
    Scheduler s(2);
    std::thread client([&s] {
      try {
        for (int i = 0; i < 20; ++i) s.submit(1, [] { return 0; });
      } catch (const std::runtime_error &) {
      }
    });
    std::vector<std::future<int>> results;
    for (int i = 0; i < 20; ++i) results.push_back(s.submit(i % 3, [i] { return i * i; }));
    for (auto &r : results) sum += r.get();
    s.stop();
    client.join();
  }
  return sum == 2470 ? 0 : 1;
}
