// VERBS check run
// FLAGS -std=c++20
// SHOWN
// The closure that a shared pointer is moved out of was the creator's own temporary: what is moved is no less shared than before.
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

class Request {
public:
  void complete(int code) {
    std::lock_guard<std::mutex> guard(mutex_);
    code_ = code; // RACE code
    done_.notify_all();
  }
  bool isReady() const {
    return code_ != 0; // RACE code
  }
  int wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    done_.wait(lock, [this] { return code_ != 0; }); // NORACE
    return code_;                                    // NORACE
  }

private:
  mutable std::mutex mutex_;
  std::condition_variable done_;
  int code_ = 0;
};

int main() {
  auto request = std::make_shared<Request>();
  std::thread server([request] { request->complete(42); });
  bool isEarly = request->isReady();
  int code = request->wait();
  server.join();
  return code == 42 || isEarly ? 0 : 1;
}
