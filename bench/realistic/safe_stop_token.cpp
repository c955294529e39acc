// SHOWN
// FLAGS -std=c++20
// A jthread worker with a stop token; its plain members are read after stop and join.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

class Indexer {
public:
  Indexer() : worker_([this](std::stop_token token) { run(std::move(token)); }) {}

  void enqueue(std::string document) {
    {
      std::lock_guard guard(mutex_);
      queue_.push_back(std::move(document));
    }
    available_.notify_one();
  }
  std::size_t finish() {
    worker_.request_stop();
    worker_.join();
    return words_; // NORACE
  }
  int documents() const { return documents_; } // NORACE

private:
  void run(std::stop_token token) {
    std::deque<std::string> batch;
    for (;;) {
      {
        std::unique_lock lock(mutex_);
        available_.wait(lock, token, [this] { return !queue_.empty(); });
        if (queue_.empty()) return;
        batch.swap(queue_);
      }
      for (const std::string &document : batch) index(document);
      batch.clear();
    }
  }
  void index(const std::string &document) {
    ++documents_;                               // NORACE the worker's until it is joined
    for (char c : document) words_ += c == ' '; // NORACE
  }

  std::mutex mutex_;
  std::condition_variable_any available_;
  std::deque<std::string> queue_;
  int documents_ = 0;
  std::size_t words_ = 0;
  std::jthread worker_;
};

int main() {
  Indexer indexer;
  std::vector<std::jthread> feeders;
  for (int f = 0; f < 2; ++f)
    feeders.emplace_back([&indexer, f] {
      for (int i = 0; i < 10; ++i) indexer.enqueue("document " + std::to_string(f * 100 + i) + " text");
    });
  feeders.clear();
  std::size_t words = indexer.finish();
  std::printf("%d %zu\n", indexer.documents(), words);
  return 0;
}
