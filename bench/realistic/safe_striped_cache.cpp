// SHOWN
// FLAGS -std=c++20
// A hash cache with striped locks: several buckets share a lock, a resize takes them all.
#include <array>
#include <cstdio>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

class StripedMap {
  struct Node {
    std::string key;
    int value;
    std::unique_ptr<Node> next;
  };

public:
  static constexpr std::size_t kStripes = 4;

  StripedMap() : buckets_(8) {}

  void put(const std::string &key, int value) {
    const std::size_t hash = std::hash<std::string>{}(key);
    Stripe &stripe = stripes_[hash % kStripes];
    bool grow = false;
    {
      std::lock_guard<std::mutex> guard(stripe.mutex);
      std::unique_ptr<Node> &bucket = buckets_[hash % buckets_.size()];
      for (Node *node = bucket.get(); node; node = node->next.get())
        if (node->key == key) {
          node->value = value; // NORACE
          return;
        }
      bucket = std::make_unique<Node>(Node{key, value, std::move(bucket)});
      grow = ++stripe.count > 2 * buckets_.size() / kStripes;
    }
    if (grow) resize();
  }

  bool get(const std::string &key, int &value) const {
    const std::size_t hash = std::hash<std::string>{}(key);
    const Stripe &stripe = stripes_[hash % kStripes];
    std::lock_guard<std::mutex> guard(stripe.mutex);
    for (const Node *node = buckets_[hash % buckets_.size()].get(); node; node = node->next.get())
      if (node->key == key) {
        value = node->value; // NORACE
        return true;
      }
    return false;
  }

  std::size_t size() const {
    std::size_t sum = 0;
    for (const Stripe &stripe : stripes_) {
      std::lock_guard<std::mutex> guard(stripe.mutex);
      sum += stripe.count; // NORACE
    }
    return sum;
  }

private:
  struct Stripe {
    mutable std::mutex mutex;
    std::size_t count = 0;
  };

  void resize() {
    std::array<std::unique_lock<std::mutex>, kStripes> all;
    for (std::size_t i = 0; i < kStripes; ++i) all[i] = std::unique_lock<std::mutex>(stripes_[i].mutex);
    std::vector<std::unique_ptr<Node>> bigger(buckets_.size() * 2);
    for (std::unique_ptr<Node> &bucket : buckets_)
      while (bucket) {
        std::unique_ptr<Node> node = std::move(bucket);
        bucket = std::move(node->next);
        std::unique_ptr<Node> &target = bigger[std::hash<std::string>{}(node->key) % bigger.size()];
        node->next = std::move(target);
        target = std::move(node);
      }
    buckets_.swap(bigger); // NORACE all stripes are locked
  }

  std::vector<std::unique_ptr<Node>> buckets_;
  std::array<Stripe, kStripes> stripes_;
};

int main() {
  StripedMap map;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&map, t] {
      for (int i = 0; i < 40; ++i) {
        map.put("key" + std::to_string(i * (t + 1)), i);
        int value = 0;
        map.get("key" + std::to_string(i), value);
      }
    });
  std::size_t seen = map.size();
  for (auto &thread : threads) thread.join();
  std::printf("%zu %d\n", map.size(), seen <= map.size());
  return 0;
}
