// VERBS check confirm
// Workers that execute packaged tasks: what a task shares with its future is the library's own affair. And an object that a function has on its
// stack, whose destructor walks over a list: it also runs where an exception leaves, but there a joinable thread ends the program.
#include <condition_variable>
#include <functional>
#include <future>
#include <list>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

class Pool {
public:
  explicit Pool(int size) {
    for (int i = 0; i < size; ++i) workers_.emplace_back([this] { loop(); });
  }
  ~Pool() {
    {
      std::lock_guard<std::mutex> guard(mutex_);
      stopped_ = true; // NORACE
    }
    changed_.notify_all();
    for (std::thread &worker : workers_) worker.join();
  }
  template <typename Function> std::future<int> submit(Function function, int argument) {
    auto task = std::make_shared<std::packaged_task<int()>>(std::bind(function, argument));
    std::future<int> result = task->get_future();
    {
      std::lock_guard<std::mutex> guard(mutex_);
      tasks_.push([task] { (*task)(); }); // NORACE
    }
    changed_.notify_one();
    return result;
  }

private:
  void loop() {
    for (;;) {
      std::function<void()> task;
      {
        std::unique_lock<std::mutex> guard(mutex_);
        changed_.wait(guard, [this] { return stopped_ || !tasks_.empty(); }); // NORACE
        if (tasks_.empty()) return;
        task = std::move(tasks_.front());
        tasks_.pop();
      }
      task();
    }
  }

  std::vector<std::thread> workers_;
  std::queue<std::function<void()>> tasks_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopped_ = false;
};

static int calls;

static int square(int number) {
  ++calls; // RACE calls SELF
  return number * number;
}

struct Recent {
  std::mutex mutex;
  std::list<int> items; // NORACE
  void add(int item) {
    std::lock_guard<std::mutex> guard(mutex);
    items.push_front(item); // NORACE
    if (items.size() > 4) items.pop_back();
  }
};

static int keepRecent() {
  Recent recent;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back([&recent, i] { recent.add(i); });
  for (std::thread &thread : threads) thread.join();
  return static_cast<int>(recent.items.size());
}

int main() {
  Pool pool(3);
  std::vector<std::future<int>> results;
  for (int i = 0; i < 8; ++i) results.push_back(pool.submit(square, i));
  int sum = keepRecent();
  for (std::future<int> &result : results) sum += result.get(); // NORACE
  return sum < 0;
}
