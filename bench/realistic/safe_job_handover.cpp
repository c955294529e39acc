// FLAGS -std=c++20
// SHOWN
// Jobs of several classes are handed over as unique_ptr through blocking queues and come back to be read by main.
#include <condition_variable>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>
#include <queue>
#include <stop_token>
#include <string>
#include <thread>
#include <variant>
#include <vector>

class Job {
public:
  virtual ~Job() = default;
  virtual void run() = 0;
  const std::string &result() const { return result_; } // NORACE
  int attempts() const { return attempts_; }            // NORACE

protected:
  std::string result_;
  int attempts_ = 0;
};

class Upper : public Job {
public:
  explicit Upper(std::string text) : text_(std::move(text)) {}
  void run() override {
    ++attempts_;                                                  // NORACE
    for (char &c : text_) c = static_cast<char>(std::toupper(c)); // NORACE
    result_ = text_;                                              // NORACE
  }

private:
  std::string text_;
};

class Power : public Job {
public:
  Power(int base, int exponent) : base_(base), exponent_(exponent) {}
  void run() override {
    long value = 1;
    for (; exponent_ > 0; --exponent_) value *= base_; // NORACE
    ++attempts_;                                       // NORACE
    result_ = std::to_string(value);                   // NORACE
  }

private:
  int base_, exponent_;
};

template <typename T> class BlockingQueue {
public:
  void put(T item) {
    std::lock_guard lock(mutex_);
    items_.push(std::move(item));
    changed_.notify_one();
  }
  std::optional<T> take(std::stop_token stop) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait(lock, stop, [this] { return !items_.empty(); })) return std::nullopt;
    T item = std::move(items_.front());
    items_.pop();
    return item;
  }

private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::queue<T> items_;
};

using JobPtr = std::unique_ptr<Job>;

static void work(std::stop_token stop, BlockingQueue<JobPtr> &todo, BlockingQueue<JobPtr> &done) {
  while (auto job = todo.take(stop)) {
    (*job)->run();
    done.put(std::move(*job));
  }
}

int main() {
  BlockingQueue<JobPtr> todo, done;
  std::vector<std::jthread> workers;
  for (int i = 0; i < 3; ++i) workers.emplace_back(work, std::ref(todo), std::ref(done));
  constexpr int jobs = 24;
  for (int i = 0; i < jobs; ++i) {
    if (i % 2)
      todo.put(std::make_unique<Power>(2, i));
    else
      todo.put(std::make_unique<Upper>("job" + std::to_string(i)));
  }
  std::size_t characters = 0;
  int attempts = 0;
  for (int i = 0; i < jobs; ++i) {
    auto job = done.take({});
    if (!job) return 2;
    characters += (*job)->result().size();
    attempts += (*job)->attempts();
  }
  std::cout << characters << " " << attempts << "\n";
  return attempts != jobs;
}
