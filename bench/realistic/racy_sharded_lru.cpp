// SHOWN
// FLAGS -std=c++20
// An LRU cache in shards, each with its lock; size() forgets the locks.
#include <array>
#include <cstdio>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

template <class Key, class Value, std::size_t Shards = 4> class LruCache {
  struct Entry {
    Key key;
    Value value;
  };
  struct alignas(64) Shard {
    std::mutex mutex;
    std::list<Entry> order;
    std::unordered_map<Key, typename std::list<Entry>::iterator> index;
    std::size_t count = 0;
  };

public:
  explicit LruCache(std::size_t capacity) : capacity_(capacity / Shards) {}

  std::optional<Value> get(const Key &key) {
    Shard &shard = shardOf(key);
    std::lock_guard<std::mutex> guard(shard.mutex);
    auto it = shard.index.find(key);
    if (it == shard.index.end()) return std::nullopt;
    shard.order.splice(shard.order.begin(), shard.order, it->second);
    return it->second->value;
  }

  void put(const Key &key, Value value) {
    Shard &shard = shardOf(key);
    std::lock_guard<std::mutex> guard(shard.mutex);
    if (auto it = shard.index.find(key); it != shard.index.end()) {
      it->second->value = std::move(value);
      return;
    }
    if (shard.index.size() >= capacity_) {
      shard.index.erase(shard.order.back().key);
      shard.order.pop_back();
      shard.count--; // RACE less
    }
    shard.order.push_front(Entry{key, std::move(value)});
    shard.index.emplace(key, shard.order.begin());
    shard.count++; // RACE more
  }

  std::size_t size() const {
    std::size_t sum = 0;
    for (const Shard &shard : shards_) sum += shard.count; // RACE less more
    return sum;
  }

private:
  Shard &shardOf(const Key &key) { return shards_[std::hash<Key>{}(key) % Shards]; }
  const std::size_t capacity_;
  std::array<Shard, Shards> shards_;
};

int main() {
  LruCache<std::string, int> cache(16);
  std::vector<std::thread> clients;
  for (int c = 0; c < 3; ++c)
    clients.emplace_back([&cache, c] {
      for (int i = 0; i < 40; ++i) {
        std::string key = "user" + std::to_string((i * 7 + c) % 30);
        if (!cache.get(key)) cache.put(key, i);
      }
    });
  std::size_t most = 0;
  for (int i = 0; i < 50; ++i) {
    std::size_t now = cache.size();
    if (now > most) most = now;
  }
  for (auto &client : clients) client.join();
  std::printf("%zu %d\n", cache.size(), most <= 16);
  return 0;
}
