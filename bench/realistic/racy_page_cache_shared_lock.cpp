// SHOWN
// FLAGS -std=c++20
// A page cache looks entries up under a shared lock, but the lookup also stamps the entry for the least-recently-used eviction.
#include <chrono>
#include <cstdio>
#include <map>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

class PageCache {
public:
  explicit PageCache(std::size_t capacity) : capacity_(capacity) {}

  std::optional<std::string> get(int page) {
    std::shared_lock lock(mu_);
    auto it = pages_.find(page);
    if (it == pages_.end()) return std::nullopt;
    it->second.last_used = now(); // RACE stamp SELF
    return it->second.body;
  }

  void put(int page, std::string body) {
    std::unique_lock lock(mu_);
    if (pages_.size() >= capacity_) evict_oldest();
    Entry &e = pages_[page];
    e.body = std::move(body);
    e.last_used = now();
  }

  std::size_t size() const {
    std::shared_lock lock(mu_);
    return pages_.size();
  }

private:
  struct Entry {
    std::string body;
    long last_used = 0;
  };

  static long now() {
    thread_local long tick = 0;
    return ++tick;
  }

  void evict_oldest() {
    auto victim = pages_.begin();
    for (auto it = pages_.begin(); it != pages_.end(); ++it)
      if (it->second.last_used < victim->second.last_used) victim = it;
    pages_.erase(victim);
  }

  mutable std::shared_mutex mu_;
  std::map<int, Entry> pages_;
  const std::size_t capacity_;
};

int main() {
  PageCache cache(8);
  for (int p = 0; p < 8; ++p) cache.put(p, "page " + std::to_string(p));
  auto reader = [&cache](int seed) {
    for (int i = 0; i < 300; ++i) {
      int page = (seed + i) % 10;
      if (!cache.get(page) && i % 7 == 0) cache.put(page, "page " + std::to_string(page));
      if (i % 30 == 0) std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  };
  std::vector<std::jthread> readers;
  for (int r = 0; r < 3; ++r) readers.emplace_back(reader, r);
  readers.clear();
  std::printf("%zu pages cached\n", cache.size());
}
