// SHOWN
// FLAGS -std=c++20
// A download manager cancels through a volatile flag, which orders nothing: both the flag and the reason code race.
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>

enum class Reason { none, user, quota };

class Download {
public:
  explicit Download(int parts) : parts_(parts) {}

  void run() {
    for (int i = 0; i < parts_; ++i) {
      if (cancelled_) {  // RACE flag
        last_ = reason_; // RACE reason
        break;
      }
      fetch_part(i);
    }
    std::lock_guard lock(mu_);
    done_ = true;
  }

  void cancel(Reason why) {
    reason_ = why;     // RACE reason
    cancelled_ = true; // RACE flag
  }

  bool done() {
    std::lock_guard lock(mu_);
    return done_;
  }

  Reason outcome() const { return last_; }
  int received() const { return received_; }

private:
  void fetch_part(int i) {
    received_ += 1 + i % 2;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }

  const int parts_;
  std::mutex mu_;
  bool done_ = false;
  volatile bool cancelled_ = false;
  Reason reason_ = Reason::none;
  Reason last_ = Reason::none;
  int received_ = 0;
};

int main() {
  Download small(5), large(200);
  std::thread a(&Download::run, &small);
  std::thread b(&Download::run, &large);
  while (!small.done()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  large.cancel(Reason::quota);
  a.join();
  b.join();
  std::printf("small %d, large %d, reason %d\n", small.received(), large.received(), static_cast<int>(large.outcome()));
}
