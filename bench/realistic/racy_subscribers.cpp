// SHOWN
// FLAGS -std=c++20
// A bus whose publish() walks the subscribers without the lock that subscribe() takes.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

class Subscriber {
public:
  virtual ~Subscriber() = default;
  virtual void onEvent(int event) = 0;
};

class Counter : public Subscriber {
public:
  void onEvent(int event) override { sum_.fetch_add(event, std::memory_order_relaxed); }
  long sum() const { return sum_.load(); }

private:
  std::atomic<long> sum_{0};
};

class Bus {
public:
  void subscribe(Subscriber *subscriber) {
    std::lock_guard<std::mutex> guard(mutex_);
    subscribers_.push_back(subscriber); // RACE list
  }
  void publish(int event) {
    for (Subscriber *subscriber : subscribers_) // RACE list
      subscriber->onEvent(event);
    std::lock_guard<std::mutex> guard(mutex_);
    ++published_;
  }
  int published() const {
    std::lock_guard<std::mutex> guard(mutex_);
    return published_;
  }

private:
  mutable std::mutex mutex_;
  std::vector<Subscriber *> subscribers_;
  int published_ = 0;
};

int main() {
  Bus bus;
  Counter a, b, c;
  bus.subscribe(&a);
  std::thread publisher([&bus] {
    for (int i = 0; i < 4; ++i) {
      bus.publish(i);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(7));
  bus.subscribe(&b);
  bus.subscribe(&c);
  publisher.join();
  std::printf("%ld %d\n", a.sum(), bus.published());
  return 0;
}
