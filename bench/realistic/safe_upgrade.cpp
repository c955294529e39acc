// SHOWN
// FLAGS -std=c++20
// A memo table under a shared_mutex: read shared, then look again under the exclusive lock and insert.
#include <atomic>
#include <cstdio>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

class Template {
public:
  explicit Template(std::string text) : text_(std::move(text)), length_(text_.size()) {}
  std::size_t length() const { return length_; }

private:
  std::string text_;
  std::size_t length_;
};

class TemplateCache {
public:
  std::shared_ptr<const Template> get(const std::string &name) {
    if (auto found = lookUp(name)) return *found;
    auto fresh = std::make_shared<const Template>("<" + name + ">");
    std::unique_lock<std::shared_mutex> lock(mutex_);
    auto [it, inserted] = table_.try_emplace(name, fresh); // NORACE
    if (inserted) ++loaded_;                               // NORACE
    return it->second;
  }
  void invalidate(const std::string &name) {
    std::unique_lock lock(mutex_);
    if (table_.erase(name) > 0) ++invalidated_; // NORACE
  }
  int loaded() const {
    std::shared_lock lock(mutex_);
    return loaded_ - invalidated_; // NORACE
  }
  std::vector<std::string> names() const {
    std::vector<std::string> result;
    std::shared_lock lock(mutex_);
    for (const auto &entry : table_) result.push_back(entry.first);
    return result;
  }

private:
  std::optional<std::shared_ptr<const Template>> lookUp(const std::string &name) const {
    std::shared_lock<std::shared_mutex> lock(mutex_);
    auto it = table_.find(name); // NORACE
    if (it == table_.end()) return std::nullopt;
    hits_.fetch_add(1, std::memory_order_relaxed);
    return it->second;
  }
  mutable std::shared_mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<const Template>> table_;
  mutable std::atomic<long> hits_{0};
  int loaded_ = 0;
  int invalidated_ = 0;
};

int main() {
  TemplateCache cache;
  std::vector<std::thread> threads;
  std::atomic<std::size_t> total{0};
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&cache, &total, t] {
      for (int i = 0; i < 30; ++i) {
        auto page = cache.get("page" + std::to_string((i + t) % 7));
        total += page->length(); // NORACE
        if (i % 8 == 7) cache.invalidate("page" + std::to_string(i % 7));
        if (i % 10 == 0) total += cache.names().size();
      }
    });
  for (auto &thread : threads) thread.join();
  std::printf("%d %d\n", cache.loaded() > 0, total.load() > 0);
  return 0;
}
