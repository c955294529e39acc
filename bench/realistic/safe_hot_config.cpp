// VERBS check run
// FLAGS -std=c++17 -Wall
// SHOWN
// Hot configuration: an immutable object behind a shared_ptr that is exchanged with atomic_store; readers keep what they have.
#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

struct Config {
  int version = 0;
  std::string upstream;
  std::map<std::string, std::string> headers;
};

class ConfigHolder {
public:
  ConfigHolder() : current_(std::make_shared<const Config>()) {}

  std::shared_ptr<const Config> get() const { return std::atomic_load(&current_); }

  void reload(int version) {
    auto next = std::make_shared<Config>(*get());
    next->version = version;
    next->upstream = "backend-" + std::to_string(version);
    next->headers["X-Version"] = std::to_string(version);
    std::atomic_store(&current_, std::shared_ptr<const Config>(std::move(next)));
  }

private:
  std::shared_ptr<const Config> current_;
};

class Handler {
public:
  explicit Handler(const ConfigHolder &holder) : holder_(holder) {}
  void serve(int requests) {
    for (int i = 0; i < requests; ++i) {
      auto config = holder_.get();
      if (config->version < last_) ++backwards_;
      last_ = config->version;
      length_ += config->upstream.size() + config->headers.size();
    }
  }
  int backwards() const { return backwards_; }

private:
  const ConfigHolder &holder_;
  int last_ = 0, backwards_ = 0;
  std::size_t length_ = 0;
};

int main() {
  ConfigHolder holder;
  std::vector<Handler> handlers(3, Handler(holder));
  std::vector<std::thread> threads;
  for (auto &h : handlers) threads.emplace_back([&h] { h.serve(30); });
  threads.emplace_back([&holder] {
    for (int v = 1; v <= 10; ++v) holder.reload(v);
  });
  for (auto &t : threads) t.join();
  int backwards = 0;
  for (const auto &h : handlers) backwards += h.backwards();
  return backwards;
}
