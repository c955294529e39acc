// VERBS check run
// FLAGS -std=c++17 -Wall
// SHOWN
// A wrapper that hands out its value only under the lock, as a lambda's argument or through a proxy's arrow.
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

template <typename T, typename Mutex = std::shared_mutex> class Synchronized {
public:
  template <typename... A> explicit Synchronized(A &&...a) : value_(std::forward<A>(a)...) {}

  class Locked {
  public:
    Locked(T &value, Mutex &m) : lock_(m), value_(value) {}
    T *operator->() { return &value_; }
    T &operator*() { return value_; }

  private:
    std::unique_lock<Mutex> lock_;
    T &value_;
  };

  Locked lock() { return Locked(value_, mutex_); }
  Locked operator->() { return lock(); }

  template <typename F> auto withWrite(F &&f) {
    std::unique_lock lock(mutex_);
    return std::forward<F>(f)(value_);
  }

  template <typename F> auto withRead(F &&f) const {
    std::shared_lock lock(mutex_);
    return std::forward<F>(f)(std::as_const(value_));
  }

private:
  mutable Mutex mutex_;
  T value_;
};

struct Inventory {
  std::map<std::string, int> stock;
  long moves = 0;
  int operator[](const std::string &k) const {
    auto it = stock.find(k);
    return it == stock.end() ? 0 : it->second;
  }
};

class Warehouse {
public:
  void receive(const std::string &item, int n) {
    inventory_.withWrite([&](Inventory &inv) {
      inv.stock[item] += n;
      ++inv.moves;
    });
    orders_->push_back(item);
  }
  bool ship(const std::string &item) {
    auto inv = inventory_.lock();
    auto it = inv->stock.find(item);
    if (it == inv->stock.end() || it->second == 0) return false;
    --it->second;
    ++inv->moves;
    return true;
  }
  int available(const std::string &item) const {
    return inventory_.withRead([&](const Inventory &inv) { return inv[item]; });
  }
  std::size_t orders() { return orders_->size(); }

private:
  Synchronized<Inventory> inventory_;
  Synchronized<std::vector<std::string>, std::mutex> orders_;
};

int main() {
  Warehouse w;
  std::vector<std::thread> t;
  int shipped[2] = {0, 0};
  for (int k = 0; k < 2; ++k) {
    t.emplace_back([&w] {
      for (int i = 0; i < 20; ++i) w.receive(i % 2 ? "bolt" : "nut", 3);
    });
    t.emplace_back([&w, &n = shipped[k]] {
      for (int i = 0; i < 20; ++i)
        if (w.available("bolt") > 0 && w.ship("bolt")) ++n;
    });
  }
  for (auto &th : t) th.join();
  return w.available("bolt") == 60 - shipped[0] - shipped[1] && w.orders() == 40 ? 0 : 1;
}
