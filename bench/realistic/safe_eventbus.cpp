// VERBS check run
// FLAGS -std=c++17 -Wall
// SHOWN
// Event bus: publish() copies the handlers under the lock and calls them without it; the handlers lock what they touch.
#include <any>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <typeindex>
#include <vector>

class EventBus {
public:
  template <class E> int subscribe(std::function<void(const E &)> f) {
    std::lock_guard lock(mutex_);
    auto copy = std::make_shared<List>(list(typeid(E)));
    copy->push_back({++last_, [f = std::move(f)](const std::any &e) { f(std::any_cast<const E &>(e)); }});
    lists_[typeid(E)] = std::move(copy);
    return last_;
  }

  template <class E> void unsubscribe(int id) {
    std::lock_guard lock(mutex_);
    auto copy = std::make_shared<List>();
    for (const auto &entry : list(typeid(E)))
      if (entry.id != id) copy->push_back(entry);
    lists_[typeid(E)] = std::move(copy);
  }

  template <class E> void publish(E event) {
    std::shared_ptr<const List> handlers;
    {
      std::lock_guard lock(mutex_);
      auto it = lists_.find(typeid(E));
      if (it == lists_.end()) return;
      handlers = it->second;
    }
    const std::any boxed = std::move(event);
    for (const auto &h : *handlers) h.call(boxed);
  }

private:
  struct Entry {
    int id;
    std::function<void(const std::any &)> call;
  };
  using List = std::vector<Entry>;

  const List &list(std::type_index type) const {
    static const List none;
    auto it = lists_.find(type);
    return it == lists_.end() ? none : *it->second;
  }

  std::mutex mutex_;
  std::map<std::type_index, std::shared_ptr<const List>> lists_;
  int last_ = 0;
};

struct OrderPlaced {
  int id;
  double amount;
};
struct OrderShipped {
  int id;
};

class Ledger {
public:
  explicit Ledger(EventBus &bus) {
    bus.subscribe<OrderPlaced>([this](const OrderPlaced &e) {
      std::lock_guard lock(mutex_);
      open_[e.id] = e.amount;
      total_ += e.amount;
    });
    bus.subscribe<OrderShipped>([this](const OrderShipped &e) {
      std::lock_guard lock(mutex_);
      open_.erase(e.id);
    });
  }
  std::size_t open() const {
    std::lock_guard lock(mutex_);
    return open_.size();
  }

private:
  mutable std::mutex mutex_;
  std::map<int, double> open_;
  double total_ = 0;
};

int main() {
  EventBus bus;
  Ledger ledger(bus);
  std::vector<std::thread> shops;
  for (int s = 0; s < 3; ++s)
    shops.emplace_back([&bus, s] {
      int seen = 0;
      int id = bus.subscribe<OrderShipped>([](const OrderShipped &) {});
      for (int i = 0; i < 10; ++i) {
        bus.publish(OrderPlaced{s * 100 + i, 9.5});
        if (i % 2) bus.publish(OrderShipped{s * 100 + i});
        ++seen;
      }
      bus.unsubscribe<OrderShipped>(id);
    });
  for (auto &t : shops) t.join();
  return ledger.open() == 15 ? 0 : 1;
}
