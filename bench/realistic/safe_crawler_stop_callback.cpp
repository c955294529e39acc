// SHOWN
// FLAGS -std=c++20
// A crawler notes why it is stopped in a plain field before it requests the stop; the workers read it only after they have seen the request.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

class Crawler {
public:
  explicit Crawler(unsigned fetchers) : codes_(fetchers, 0), fetched_(fetchers, 0) {
    for (unsigned i = 0; i < fetchers; ++i)
      fetchers_.emplace_back([this, i, token = stop_.get_token()] { fetch_loop(token, i); });
  }

  void shutdown(std::string why, int code) {
    reason_ = std::move(why); // NORACE // ordered by request_stop / stop_requested
    code_ = code;
    stop_.request_stop();
  }

  void wait() {
    for (auto &f : fetchers_) f.join();
    int pages = 0, agreed = 0;
    for (std::size_t i = 0; i < codes_.size(); ++i) {
      pages += fetched_[i];
      agreed += codes_[i] == code_;
    }
    std::printf("stopped (%s), %d agreed, %s pages\n", reason_.c_str(), agreed, pages > 0 ? "some" : "no");
  }

private:
  void fetch_loop(const std::stop_token &token, unsigned me) {
    std::stop_callback interrupt(token, [this] {
      std::lock_guard lock(mu_);
      ++interrupts_;
      wake_.notify_all();
    });
    std::unique_lock lock(mu_);
    while (!token.stop_requested()) {
      fetched_[me] += 1; // NORACE // own element
      wake_.wait_for(lock, std::chrono::microseconds(300));
    }
    lock.unlock();
    codes_[me] = code_; // NORACE
  }

  std::stop_source stop_;
  std::mutex mu_;
  std::condition_variable wake_;
  int interrupts_ = 0;
  std::string reason_;
  int code_ = 0;
  std::vector<int> codes_;
  std::vector<int> fetched_;
  std::vector<std::jthread> fetchers_;
};

int main() {
  auto crawler = std::make_unique<Crawler>(3u);
  std::this_thread::sleep_for(std::chrono::milliseconds(3));
  crawler->shutdown("quota reached", 42);
  crawler->wait();
}
