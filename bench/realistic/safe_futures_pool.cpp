// SHOWN
// FLAGS -std=c++20
// A pool of packaged tasks; results come back through futures.
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <queue>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

class Executor {
public:
  explicit Executor(unsigned n) {
    for (unsigned i = 0; i < n; ++i) threads_.emplace_back([this] { run(); });
  }
  ~Executor() {
    {
      std::unique_lock lock(mutex_);
      done_ = true;
    }
    condition_.notify_all();
    for (std::thread &thread : threads_)
      if (thread.joinable()) thread.join();
  }
  template <class F> auto submit(F &&function) -> std::future<std::invoke_result_t<F>> {
    using Result = std::invoke_result_t<F>;
    auto task = std::make_shared<std::packaged_task<Result()>>(std::forward<F>(function));
    std::future<Result> future = task->get_future();
    {
      std::unique_lock lock(mutex_);
      if (done_) throw std::runtime_error("executor stopped");
      tasks_.emplace([task] { (*task)(); });
    }
    condition_.notify_one();
    return future;
  }

private:
  void run() {
    while (true) {
      std::function<void()> task;
      {
        std::unique_lock lock(mutex_);
        condition_.wait(lock, [this] { return done_ || !tasks_.empty(); });
        if (done_ && tasks_.empty()) return;
        task = std::move(tasks_.front());
        tasks_.pop();
      }
      task();
    }
  }
  std::vector<std::thread> threads_;
  std::queue<std::function<void()>> tasks_;
  std::mutex mutex_;
  std::condition_variable condition_;
  bool done_ = false;
};

struct Report {
  std::string name;
  int words = 0;
};

static std::unique_ptr<Report> analyse(std::string text) {
  auto report = std::make_unique<Report>();
  report->name = text.substr(0, 4);
  for (char c : text) report->words += c == ' ';
  return report;
}

int main() {
  Executor executor(3);
  std::vector<std::future<std::unique_ptr<Report>>> futures;
  for (int i = 0; i < 8; ++i) {
    std::string text = "text " + std::to_string(i) + " of many words";
    futures.push_back(executor.submit([text] { return analyse(text); }));
  }
  int words = 0;
  for (auto &future : futures) {
    std::unique_ptr<Report> report = future.get();
    report->words += 1; // NORACE
    words += report->words;
  }
  std::vector<int> partial(4);
  std::vector<std::future<void>> pending;
  for (int i = 0; i < 4; ++i) pending.push_back(executor.submit([&partial, i] { partial[i] = i + 1; })); // NORACE
  for (auto &future : pending) future.wait();
  for (int value : partial) words += value; // NORACE
  std::printf("%d\n", words);
  return 0;
}
