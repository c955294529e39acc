// VERBS check run confirm
// FLAGS -std=c++17 -Wall
// SHOWN
// A session cache: lookups hold the lock shared, but stamp the entry that they have found; inserts and evictions are exclusive.
#include <algorithm>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

struct Entry {
  std::string user;
  long stamp = 0;
};

class SessionCache {
public:
  explicit SessionCache(std::size_t limit) : limit_(limit) {}

  std::optional<std::string> find(int token, long now) {
    std::shared_lock lock(mutex_);
    auto it = entries_.find(token);
    if (it == entries_.end()) return std::nullopt;
    it->second.stamp = now; // RACE stamp SELF
    return it->second.user;
  }

  void insert(int token, std::string user, long now) {
    std::unique_lock lock(mutex_);
    if (entries_.size() >= limit_) evict();
    Entry &e = entries_[token];
    e.user = std::move(user);
    e.stamp = now;
  }

  std::size_t size() const {
    std::shared_lock lock(mutex_);
    return entries_.size();
  }

private:
  void evict() {
    auto oldest = std::min_element(entries_.begin(), entries_.end(),
                                   [](const auto &a, const auto &b) { return a.second.stamp < b.second.stamp; });
    entries_.erase(oldest);
  }

  mutable std::shared_mutex mutex_;
  std::unordered_map<int, Entry> entries_;
  const std::size_t limit_;
};

int main() {
  SessionCache cache(8);
  for (int i = 0; i < 6; ++i) cache.insert(i, "user" + std::to_string(i), 0);
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&cache, t] {
      for (int i = 0; i < 30; ++i) {
        if (!cache.find(i % 10, i)) cache.insert(i % 10, "user" + std::to_string(t), i);
      }
    });
  for (auto &t : threads) t.join();
  return cache.size() <= 8 ? 0 : 1;
}
