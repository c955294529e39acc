// SHOWN
// FLAGS -std=c++20
// A condition variable is notified under the lock, but the data that go with the flag are written after it.
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>

class Handoff {
public:
  void provide(int code, long size) {
    {
      std::lock_guard<std::mutex> guard(mutex_);
      code_ = code; // NORACE
      ready_ = true;
    }
    ready_changed_.notify_one();
    size_ = size; // RACE size
  }
  long consume(int &code) {
    std::unique_lock<std::mutex> lock(mutex_);
    ready_changed_.wait(lock, [this] { return ready_; });
    code = code_; // NORACE
    return size_; // RACE size
  }

private:
  std::mutex mutex_;
  std::condition_variable ready_changed_;
  bool ready_ = false;
  int code_ = 0;
  long size_ = 0;
};

int main() {
  Handoff handoff;
  std::thread provider([&handoff] { handoff.provide(200, 4096); });
  int code = 0;
  long size = handoff.consume(code);
  provider.join();
  std::printf("%d %d\n", code, size >= 0);
  return 0;
}
