// SHOWN
// FLAGS -std=c++20
// Each buffer protects itself with its own mutex, but the static byte count they share is guarded by whichever instance is growing.
#include <chrono>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

class Buffer {
public:
  explicit Buffer(std::string name) : name_(std::move(name)) {
    std::lock_guard lock(registry_mu_);
    ++live_;
  }
  ~Buffer() {
    std::lock_guard lock(registry_mu_);
    --live_;
  }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;

  void append(const std::string &text) {
    std::lock_guard lock(mu_);
    data_ += text;
    if (data_.size() > data_limit) data_.clear();
    bytes_written_ += text.size(); // RACE bytes SELF
  }

  std::size_t size() const {
    std::lock_guard lock(mu_);
    return data_.size();
  }

  static int live() {
    std::lock_guard lock(registry_mu_);
    return live_;
  }
  static std::size_t bytes_written() { return bytes_written_; }

private:
  static constexpr std::size_t data_limit = 256;
  static inline std::mutex registry_mu_;
  static inline int live_ = 0;
  static inline std::size_t bytes_written_ = 0;

  mutable std::mutex mu_;
  std::string name_;
  std::string data_;
};

int main() {
  {
    auto shared = std::make_shared<Buffer>("shared");
    std::vector<std::jthread> writers;
    for (int w = 0; w < 3; ++w)
      writers.emplace_back([w, shared] {
        Buffer own("writer-" + std::to_string(w));
        for (int i = 0; i < 100; ++i) {
          own.append("line\n");
          if (i % 50 == 0) shared->append("summary\n");
          if (i % 10 == 0) std::this_thread::sleep_for(std::chrono::microseconds(50));
        }
      });
    while (Buffer::live() < 1) std::this_thread::yield();
    writers.clear();
    std::printf("shared holds %zu\n", shared->size());
  }
  std::printf("live %d, bytes %zu\n", Buffer::live(), Buffer::bytes_written());
}
