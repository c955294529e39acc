// SHOWN
// FLAGS -std=c++20
// An event loop over an eventfd; its running flag is a plain bool.
#include <cstdint>
#include <cstdio>
#include <functional>
#include <mutex>
#include <poll.h>
#include <sys/eventfd.h>
#include <thread>
#include <unistd.h>
#include <vector>

class EventLoop {
public:
  EventLoop() : fd_(::eventfd(0, EFD_CLOEXEC)) {}
  ~EventLoop() { ::close(fd_); }

  void run() {
    while (running_) { // RACE running
      pollfd p{fd_, POLLIN, 0};
      if (::poll(&p, 1, 100) > 0) {
        std::uint64_t n = 0;
        if (::read(fd_, &n, sizeof n) != sizeof n) break;
      }
      drain();
    }
    drain();
  }

  void post(std::function<void()> task) {
    {
      std::scoped_lock guard(mutex_);
      pending_.push_back(std::move(task));
    }
    wake();
  }

  void stop() {
    running_ = false; // RACE running
    wake();
  }

private:
  void wake() {
    std::uint64_t one = 1;
    if (::write(fd_, &one, sizeof one) != sizeof one) std::perror("eventfd");
  }
  void drain() {
    std::vector<std::function<void()>> todo;
    {
      std::scoped_lock guard(mutex_);
      todo.swap(pending_);
    }
    for (auto &task : todo) task();
  }

  const int fd_;
  bool running_ = true;
  std::mutex mutex_;
  std::vector<std::function<void()>> pending_;
};

int main() {
  EventLoop loop;
  int handled = 0;
  std::thread thread([&loop] { loop.run(); });
  for (int i = 0; i < 20; ++i) loop.post([&handled] { ++handled; }); // NORACE only the loop's thread calls it
  loop.stop();
  thread.join();
  std::printf("%d\n", handled); // NORACE
  return 0;
}
