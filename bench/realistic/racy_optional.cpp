// SHOWN
// FLAGS -std=c++20
// A result is put into an optional under the lock, and polled without it.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

struct Answer {
  int code;
  double seconds;
};

class Request {
public:
  explicit Request(int id) : id_(id) {}
  void complete(int code) {
    std::lock_guard<std::mutex> guard(mutex_);
    answer_.emplace(Answer{code, 0.5 * code}); // RACE ready
    done_.notify_all();
  }
  bool ready() const {
    return answer_.has_value(); // RACE ready
  }
  Answer wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    done_.wait(lock, [this] { return answer_.has_value(); }); // NORACE
    return *answer_;                                          // NORACE
  }
  int id() const { return id_; }

private:
  const int id_;
  mutable std::mutex mutex_;
  std::condition_variable done_;
  std::optional<Answer> answer_;
};

int main() {
  auto request = std::make_shared<Request>(42);
  std::thread server([request] {
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    request->complete(request->id() + 1);
  });
  int polls = 0;
  while (!request->ready() && polls < 4) {
    ++polls;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  Answer answer = request->wait();
  server.join();
  std::printf("%d %g\n", answer.code, answer.seconds);
  return 0;
}
