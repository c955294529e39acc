// FLAGS -std=c++20
// SHOWN
// An inventory: the unique_lock is released before the slow part, which still touches the item it found.
#include <functional>
#include <iostream>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

struct Item {
  int stock = 0;
  int reserved = 0;
};

class Inventory {
public:
  void restock(const std::string &name, int count) {
    std::unique_lock lock(mutex_);
    auto &item = items_[name];
    if (!item) item = std::make_shared<Item>();
    item->stock += count;
  }

  bool reserve(const std::string &name) {
    std::unique_lock lock(mutex_);
    auto it = items_.find(name);
    if (it == items_.end() || it->second->stock == 0) return false;
    std::shared_ptr<Item> item = it->second;
    --item->stock;
    lock.unlock();
    audit(name);
    ++item->reserved; // RACE reserved SELF // RACE summed
    return true;
  }

  int reserved() const {
    std::lock_guard lock(mutex_);
    int sum = 0;
    for (const auto &[name, item] : items_) sum += item->reserved; // RACE summed
    return sum;
  }

private:
  static void audit(const std::string &name) { std::hash<std::string>{}(name); }

  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<Item>> items_;
};

static void shop(Inventory &inventory, const std::string &name, int times) {
  for (int i = 0; i < times; ++i) inventory.reserve(name);
}

int main() {
  Inventory inventory;
  inventory.restock("bolt", 100);
  inventory.restock("nut", 100);
  std::thread a(std::bind(shop, std::ref(inventory), "bolt", 30));
  std::thread b(std::bind(shop, std::ref(inventory), "bolt", 30));
  std::thread c([&] {
    for (int i = 0; i < 5; ++i) inventory.reserved();
  });
  a.join();
  b.join();
  c.join();
  std::cout << inventory.reserved() << "\n";
}
