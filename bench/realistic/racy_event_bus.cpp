// FLAGS -std=c++20
// SHOWN
// An event bus: subscribing is locked, publishing walks the handlers without the lock "because they change rarely".
#include <atomic>
#include <functional>
#include <iostream>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

struct Event {
  int topic;
  long payload;
};

class Handler {
public:
  virtual ~Handler() = default;
  virtual void on_event(const Event &event) = 0;
};

class Summing : public Handler {
public:
  void on_event(const Event &event) override { sum_.fetch_add(event.payload, std::memory_order_relaxed); }
  long sum() const { return sum_.load(); }

private:
  std::atomic<long> sum_{0};
};

class Bus {
public:
  Bus() { handlers_.reserve(32); }

  void subscribe(Handler *handler) {
    std::lock_guard lock(mutex_);
    handlers_.push_back(handler); // RACE end // RACE slot
  }

  void publish(const Event &event) {
    for (std::size_t i = 0; i < handlers_.size(); ++i) { // RACE end
      Handler *handler = handlers_[i];                   // RACE slot
      handler->on_event(event);
    }
  }

private:
  std::mutex mutex_;
  std::vector<Handler *> handlers_;
};

int main() {
  Bus bus;
  std::vector<Summing> handlers(8);
  bus.subscribe(&handlers[0]);
  std::thread plugin([&] {
    for (std::size_t i = 1; i < handlers.size(); ++i) bus.subscribe(&handlers[i]);
  });
  std::thread source([&] {
    for (int i = 0; i < 50; ++i) bus.publish({i % 3, i});
  });
  plugin.join();
  source.join();
  std::cout << handlers[0].sum() << "\n";
  return handlers[0].sum() == 1225 ? 0 : 1;
}
