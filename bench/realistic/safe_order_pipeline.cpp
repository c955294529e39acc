// SHOWN
// FLAGS -std=c++20
// Orders travel through three pipeline stages as unique_ptrs; every stage writes the order without a lock, because it owns it at that time.
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

struct Order {
  int id = 0;
  int quantity = 0;
  double price = 0;
  std::string state = "new";
};

template <class T> class Channel {
public:
  void send(T item) {
    std::lock_guard lock(mu_);
    items_.push_back(std::move(item));
    changed_.notify_one();
  }
  void close() {
    std::lock_guard lock(mu_);
    closed_ = true;
    changed_.notify_all();
  }
  std::optional<T> receive() {
    std::unique_lock lock(mu_);
    changed_.wait(lock, [this] { return closed_ || !items_.empty(); });
    if (items_.empty()) return std::nullopt;
    std::optional<T> item(std::move(items_.front()));
    items_.pop_front();
    return item;
  }

private:
  std::mutex mu_;
  std::condition_variable changed_;
  std::deque<T> items_;
  bool closed_ = false;
};

using OrderChannel = Channel<std::unique_ptr<Order>>;

template <class Step> std::thread stage(OrderChannel &in, OrderChannel &out, Step step) {
  return std::thread([&in, &out, step] {
    while (auto order = in.receive()) {
      step(**order);
      out.send(std::move(*order));
    }
    out.close();
  });
}

int main() {
  OrderChannel fresh, priced, packed;
  std::thread pricing = stage(fresh, priced, [](Order &o) {
    o.price = o.quantity * 9.5; // NORACE
    o.state += ",priced";
  });
  std::thread packing = stage(priced, packed, [](Order &o) {
    o.quantity += o.quantity > 5 ? 1 : 0; // NORACE // a free sample
    o.state += ",packed";
  });
  for (int i = 0; i < 80; ++i) {
    auto order = std::make_unique<Order>();
    Order *draft = order.get();
    draft->id = i;
    draft->quantity = i % 9;
    fresh.send(std::move(order));
  }
  fresh.close();
  double revenue = 0;
  int pieces = 0;
  while (auto order = packed.receive()) {
    revenue += (*order)->price;
    pieces += (*order)->quantity;
    if ((*order)->state != "new,priced,packed") std::puts("bad state");
  }
  pricing.join();
  packing.join();
  std::printf("%.1f for %d pieces\n", revenue, pieces);
}
