// SHOWN
// FLAGS -std=c++20
// An inventory hands out move-only transactions that carry its recursive lock; commit, rollback by exception and helper calls all run under the moved lock.
#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

class Inventory {
public:
  class Transaction {
  public:
    Transaction(Transaction &&o) noexcept
        : lock_(std::move(o.lock_)), inv_(std::exchange(o.inv_, nullptr)), undo_(std::move(o.undo_)) {}
    Transaction &operator=(Transaction &&) = delete;
    ~Transaction() {
      if (inv_ == nullptr) return;
      for (auto it = undo_.rbegin(); it != undo_.rend(); ++it) inv_->stock_[it->first] = it->second; // NORACE
      inv_->rollbacks_++;
    }
    Transaction &move(const std::string &item, int delta) {
      int &level = inv_->stock_[item]; // NORACE
      if (level + delta < 0) throw std::out_of_range(item);
      undo_.emplace_back(item, level);
      level += delta;
      return *this;
    }
    void commit() && {
      inv_->commits_++;
      inv_ = nullptr;
      lock_.unlock();
    }

  private:
    friend class Inventory;
    Transaction(std::unique_lock<std::recursive_mutex> lock, Inventory *inv) : lock_(std::move(lock)), inv_(inv) {}
    std::unique_lock<std::recursive_mutex> lock_;
    Inventory *inv_;
    std::vector<std::pair<std::string, int>> undo_;
  };

  Transaction begin() {
    std::unique_lock lock(mu_);
    opened_++;
    return Transaction(std::move(lock), this);
  }

  int level(const std::string &item) {
    std::lock_guard lock(mu_);
    return stock_[item];
  }

  void print() {
    std::lock_guard lock(mu_);
    std::printf("opened %d = %d + %d, bolts %d, nuts %d\n", opened_, commits_, rollbacks_, level("bolt"), level("nut"));
  }

private:
  std::recursive_mutex mu_;
  std::map<std::string, int> stock_;
  int opened_ = 0, commits_ = 0, rollbacks_ = 0;
};

static Inventory::Transaction prepare(Inventory &inv, int parts) {
  auto t = inv.begin();
  t.move("bolt", -parts);
  return t;
}

int main() {
  auto inv = std::make_unique<Inventory>();
  auto delivery = inv->begin();
  delivery.move("bolt", 400).move("nut", 300);
  std::move(delivery).commit();
  {
    std::vector<std::jthread> fitters;
    for (int f = 0; f < 3; ++f)
      fitters.emplace_back([&inv, f] {
        for (int i = 0; i < 60; ++i) {
          try {
            auto t = prepare(*inv, 3);
            t.move("nut", inv->level("nut") > 100 ? -2 : -3 - f);
            std::move(t).commit();
          } catch (const std::out_of_range &) {
            std::this_thread::yield();
          }
        }
      });
  }
  inv->print();
}
