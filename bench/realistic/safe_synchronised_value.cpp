// FLAGS -std=c++20
// SHOWN
// A Synchronized<T> of the program's own: the value can be had only through a callable or a proxy that holds the lock.
#include <iostream>
#include <list>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

template <typename T> class Synchronized {
public:
  template <typename... Args> explicit Synchronized(Args &&...args) : value_(std::forward<Args>(args)...) {}

  template <typename F> decltype(auto) with(F &&f) {
    std::unique_lock lock(mutex_);
    return std::forward<F>(f)(value_);
  }
  template <typename F> decltype(auto) view(F &&f) const {
    std::shared_lock lock(mutex_);
    return std::forward<F>(f)(std::as_const(value_));
  }

  class Proxy {
  public:
    Proxy(std::shared_mutex &mutex, T &value) : lock_(mutex), value_(value) {}
    T *operator->() { return &value_; }

  private:
    std::unique_lock<std::shared_mutex> lock_;
    T &value_;
  };
  Proxy operator->() { return Proxy(mutex_, value_); }

private:
  mutable std::shared_mutex mutex_;
  T value_;
};

struct LruCache {
  explicit LruCache(std::size_t limit) : limit(limit) {}

  void put(int key, std::string value) {
    if (auto it = index.find(key); it != index.end()) order.erase(it->second);
    order.emplace_front(key, std::move(value));
    index[key] = order.begin();
    if (order.size() > limit) {
      index.erase(order.back().first);
      order.pop_back();
      ++evicted; // NORACE
    }
  }
  const std::string *peek(int key) const {
    auto it = index.find(key);
    return it == index.end() ? nullptr : &it->second->second;
  }

  std::size_t limit;
  unsigned evicted = 0, touched = 0;
  std::list<std::pair<int, std::string>> order;
  std::map<int, std::list<std::pair<int, std::string>>::iterator> index;
};

int main() {
  Synchronized<LruCache> cache(std::size_t{6});
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&cache, t] {
      std::size_t seen = 0;
      for (int i = 0; i < 40; ++i) {
        cache.with([&](LruCache &c) { c.put((i * 7 + t) % 11, "v" + std::to_string(i)); });
        seen += cache.view([&](const LruCache &c) {
          auto *found = c.peek(i % 11);
          return found ? found->size() : 0;
        });
        cache->touched++; // NORACE
      }
      cache->touched += seen > 100000; // NORACE
    });
  for (auto &thread : threads) thread.join();
  auto [evicted, touched] = cache.view([](const LruCache &c) { return std::pair(c.evicted, c.touched); });
  std::cout << (evicted > 0) << " " << touched << "\n";
  return touched != 120;
}
