// VERBS check
// FLAGS -std=c++20
// SHOWN
// Two objects with a thread each: who waits until the one says that it is done goes on beside the other.
#include <cstdio>
#include <mutex>
#include <thread>

class Download {
public:
  explicit Download(int parts) : parts_(parts) {}
  void run() {
    for (int i = 0; i < parts_; ++i) {
      if (cancelled_) break; // RACE cancelled
      ++received_;           // NORACE read when joined
    }
    std::lock_guard guard(lock_);
    done_ = true;
  }
  void cancel() {
    cancelled_ = true; // RACE cancelled
  }
  bool done() {
    std::lock_guard guard(lock_);
    return done_;
  }
  int received() const { return received_; }

private:
  const int parts_;
  std::mutex lock_;
  bool done_ = false;
  volatile bool cancelled_ = false;
  int received_ = 0;
};

int main() {
  Download small(5), large(200000);
  std::thread first(&Download::run, &small);
  std::thread second(&Download::run, &large);
  while (!small.done()) std::this_thread::yield();
  large.cancel();
  first.join();
  second.join();
  std::printf("%d %d\n", small.received(), large.received());
}
