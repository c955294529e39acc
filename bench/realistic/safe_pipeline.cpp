// SHOWN
// FLAGS -std=c++20
// A pipeline: jobs are owned by whoever has taken them out of a blocking queue.
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

template <class T> class BlockingQueue {
public:
  explicit BlockingQueue(std::size_t capacity) : capacity_(capacity) {}
  void push(T item) {
    std::unique_lock<std::mutex> lock(mutex_);
    notFull_.wait(lock, [this] { return items_.size() < capacity_; });
    items_.push_back(std::move(item));
    notEmpty_.notify_one();
  }
  std::optional<T> pop() {
    std::unique_lock<std::mutex> lock(mutex_);
    notEmpty_.wait(lock, [this] { return closed_ || !items_.empty(); });
    if (items_.empty()) return std::nullopt;
    std::optional<T> item(std::move(items_.front()));
    items_.pop_front();
    notFull_.notify_one();
    return item;
  }
  void close() {
    std::lock_guard<std::mutex> lock(mutex_);
    closed_ = true;
    notEmpty_.notify_all();
  }

private:
  const std::size_t capacity_;
  std::mutex mutex_;
  std::condition_variable notFull_, notEmpty_;
  std::deque<T> items_;
  bool closed_ = false;
};

struct Job {
  int id = 0;
  std::string text;
  std::vector<int> tokens;
  long checksum = 0;
};
using JobPtr = std::unique_ptr<Job>;

static void tokenize(BlockingQueue<JobPtr> &in, BlockingQueue<JobPtr> &out) {
  while (auto job = in.pop()) {
    for (char c : (*job)->text) (*job)->tokens.push_back(c); // NORACE
    out.push(std::move(*job));
  }
  out.close();
}

static void checksum(BlockingQueue<JobPtr> &in, BlockingQueue<JobPtr> &out) {
  while (std::optional<JobPtr> next = in.pop()) {
    JobPtr job = std::move(*next);
    for (int token : job->tokens) job->checksum = job->checksum * 31 + token; // NORACE
    job->text.clear();                                                        // NORACE
    out.push(std::move(job));
  }
  out.close();
}

int main() {
  BlockingQueue<JobPtr> raw(4), tokenized(4), finished(4);
  std::thread first(tokenize, std::ref(raw), std::ref(tokenized));
  std::thread second(checksum, std::ref(tokenized), std::ref(finished));
  long sum = 0;
  std::thread last([&] {
    while (auto job = finished.pop()) sum ^= (*job)->checksum + (*job)->id; // NORACE
  });
  for (int i = 0; i < 20; ++i) {
    auto job = std::make_unique<Job>();
    job->id = i;
    job->text = "job number " + std::to_string(i);
    raw.push(std::move(job));
  }
  raw.close();
  first.join();
  second.join();
  last.join();
  std::printf("%ld\n", sum); // NORACE
  return 0;
}
