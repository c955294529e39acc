// SHOWN
// FLAGS -std=c++20
// A logger with two buffers: they are swapped under the lock, and the full one is written without it.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

class AsyncLogger {
public:
  explicit AsyncLogger(std::FILE *file) : file_(file) {
    front_.reserve(64);
    back_.reserve(64);
    thread_ = std::thread([this] { flushLoop(); });
  }
  ~AsyncLogger() { close(); }

  void write(std::string line) {
    std::lock_guard<std::mutex> guard(mutex_);
    front_.push_back(std::move(line)); // NORACE
    if (front_.size() >= 8) wake_.notify_one();
  }
  void close() {
    {
      std::lock_guard<std::mutex> guard(mutex_);
      if (closed_) return;
      closed_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }
  std::size_t bytes() const { return bytes_; } // NORACE after close

private:
  void flushLoop() {
    bool last = false;
    while (!last) {
      {
        std::unique_lock<std::mutex> lock(mutex_);
        wake_.wait_for(lock, std::chrono::milliseconds(5), [this] { return closed_ || front_.size() >= 8; });
        front_.swap(back_); // NORACE
        last = closed_;
      }
      for (const std::string &line : back_) { // NORACE the flusher's own
        std::fwrite(line.data(), 1, line.size(), file_);
        bytes_ += line.size(); // NORACE
      }
      back_.clear(); // NORACE
    }
  }
  std::FILE *const file_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<std::string> front_, back_;
  bool closed_ = false;
  std::size_t bytes_ = 0;
  std::thread thread_;
};

int main() {
  std::FILE *null = std::fopen("/dev/null", "w");
  if (!null) return 1;
  AsyncLogger logger(null);
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&logger, t] {
      for (int i = 0; i < 30; ++i) logger.write("thread " + std::to_string(t) + " line " + std::to_string(i) + "\n");
    });
  for (auto &thread : threads) thread.join();
  logger.close();
  std::fclose(null);
  std::printf("%zu\n", logger.bytes());
  return 0;
}
