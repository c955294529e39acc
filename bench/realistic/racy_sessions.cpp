// VERBS check run confirm
// FLAGS -std=c++14 -Wall
// SHOWN
// Sessions run detached; the manager waits until none is left, but a session counts its bytes after it has signed off.
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>

class Manager : public std::enable_shared_from_this<Manager> {
public:
  void start(int id) {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      ++active_;
    }
    auto self = shared_from_this();
    std::thread([self, id] { self->session(id); }).detach();
  }

  void wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    idle_.wait(lock, [this] { return active_ == 0; });
  }

  long bytes() const { return bytes_; } // RACE bytes
  int served() const { return served_; }

private:
  void session(int id) {
    long n = 0;
    for (int i = 0; i < 50; ++i) n += (i * id) % 13;
    finish();
    bytes_ += n; // RACE bytes // RACE both SELF
  }

  void finish() {
    std::lock_guard<std::mutex> lock(mutex_);
    ++served_;
    if (--active_ == 0) idle_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable idle_;
  int active_ = 0;
  int served_ = 0;
  long bytes_ = 0;
};

int main() {
  auto manager = std::make_shared<Manager>();
  for (int i = 0; i < 4; ++i) manager->start(i);
  manager->wait();
  std::printf("%ld bytes in %d sessions\n", manager->bytes(), manager->served());
  return 0;
}
