// FLAGS -std=c++20
// SHOWN
// A rate limiter per client: every method locks, but operator<< of the class reads the totals without.
#include <array>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <unordered_map>

class RateLimiter {
public:
  explicit RateLimiter(unsigned limit) : limit_(limit) {}

  bool admit(const std::string &client, long tick) {
    std::scoped_lock lock(mutex_);
    Window &window = windows_[client];
    if (window.started != tick / 10) window = {tick / 10, 0};
    if (window.used >= limit_) {
      ++rejected_; // RACE rejected
      return false;
    }
    ++window.used;
    ++admitted_; // RACE admitted
    return true;
  }

  std::optional<unsigned> used(const std::string &client) const {
    std::scoped_lock lock(mutex_);
    auto it = windows_.find(client);
    if (it == windows_.end()) return std::nullopt;
    return it->second.used;
  }

  friend std::ostream &operator<<(std::ostream &out, const RateLimiter &limiter) {
    out << "admitted=" << limiter.admitted_;         // RACE admitted
    return out << " rejected=" << limiter.rejected_; // RACE rejected
  }

private:
  struct Window {
    long started = -1;
    unsigned used = 0;
  };

  const unsigned limit_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, Window> windows_;
  unsigned long admitted_ = 0, rejected_ = 0;
};

static void traffic(RateLimiter &limiter, std::string client) {
  for (long tick = 0; tick < 60; ++tick) limiter.admit(client, tick);
}

int main() {
  auto limiter = std::make_unique<RateLimiter>(4);
  std::thread a(traffic, std::ref(*limiter), "alpha");
  std::thread b(traffic, std::ref(*limiter), "beta");
  std::thread status([&limiter] {
    for (int i = 0; i < 5; ++i) {
      std::ostringstream text;
      text << *limiter;
      if (text.str().empty()) std::abort();
    }
  });
  a.join();
  b.join();
  status.join();
  std::cout << *limiter << " " << limiter->used("alpha").value_or(0) << "\n";
}
