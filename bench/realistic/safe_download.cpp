// VERBS check run
// FLAGS -std=c++17 -Wall
// SHOWN
// Download manager: the target is sized first, every chunk is fetched by a task of its own into its part; progress is atomic.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <future>
#include <numeric>
#include <string>
#include <vector>

struct Range {
  std::size_t first;
  std::size_t last;
};

class Origin {
public:
  explicit Origin(std::size_t size) : size_(size) {}
  std::size_t size() const { return size_; }
  char byte(std::size_t i) const { return static_cast<char>('a' + i % 26); }

private:
  std::size_t size_;
};

class Download {
public:
  Download(const Origin &origin, unsigned parts) : origin_(origin), parts_(parts) {}

  std::string fetch() {
    body_.resize(origin_.size());
    sums_.assign(parts_, 0);
    std::vector<std::future<std::size_t>> tasks;
    tasks.reserve(parts_);
    const std::size_t step = (body_.size() + parts_ - 1) / parts_;
    for (unsigned p = 0; p < parts_; ++p) {
      Range r{p * step, std::min(body_.size(), (p + 1) * step)};
      tasks.push_back(std::async(std::launch::async, &Download::part, this, p, r));
    }
    std::size_t total = 0;
    for (auto &t : tasks) total += t.get();
    complete_ = total == body_.size();
    return std::move(body_);
  }

  bool complete() const { return complete_ && done_.load() == origin_.size(); }
  std::uint64_t checksum() const { return std::accumulate(sums_.begin(), sums_.end(), std::uint64_t{0}); }

private:
  std::size_t part(unsigned index, Range r) {
    for (std::size_t i = r.first; i < r.last; ++i) {
      body_[i] = origin_.byte(i);                           // NORACE
      sums_[index] += static_cast<unsigned char>(body_[i]); // NORACE
      done_.fetch_add(1, std::memory_order_relaxed);
    }
    return r.last - r.first;
  }

  const Origin &origin_;
  unsigned parts_;
  std::string body_;
  std::vector<std::uint64_t> sums_;
  std::atomic<std::size_t> done_{0};
  bool complete_ = false;
};

int main() {
  Origin origin(1000);
  Download d(origin, 4);
  std::string body = d.fetch();
  return d.complete() && body.size() == 1000 && d.checksum() ? 0 : 1;
}
