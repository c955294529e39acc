// SHOWN
// FLAGS -std=c++20
// Observers behind weak pointers: they are copied out under the lock and called without it.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

class Observer {
public:
  explicit Observer(int weight) : weight_(weight) {}
  void notify(int event) {
    std::lock_guard<std::mutex> guard(mutex_);
    seen_ += event * weight_; // NORACE
  }
  long seen() const {
    std::lock_guard<std::mutex> guard(mutex_);
    return seen_;
  }

private:
  const int weight_;
  mutable std::mutex mutex_;
  long seen_ = 0;
};

class Subject {
public:
  void attach(const std::shared_ptr<Observer> &observer) {
    std::lock_guard<std::mutex> guard(mutex_);
    observers_.push_back(observer); // NORACE
  }
  void fire(int event) {
    std::vector<std::shared_ptr<Observer>> alive;
    {
      std::lock_guard<std::mutex> guard(mutex_);
      for (const auto &weak : observers_)
        if (auto strong = weak.lock()) alive.push_back(std::move(strong)); // NORACE
      observers_.erase(std::remove_if(observers_.begin(), observers_.end(), [](const auto &w) { return w.expired(); }),
                       observers_.end());
    }
    for (const auto &observer : alive) observer->notify(event); // NORACE
  }

private:
  std::mutex mutex_;
  std::vector<std::weak_ptr<Observer>> observers_;
};

int main() {
  Subject subject;
  auto lasting = std::make_shared<Observer>(2);
  subject.attach(lasting);
  std::thread firing([&subject] {
    for (int i = 0; i < 50; ++i) subject.fire(i);
  });
  std::thread other([&subject] {
    for (int i = 0; i < 20; ++i) {
      auto passing = std::make_shared<Observer>(1);
      subject.attach(passing);
      subject.fire(1);
    }
  });
  firing.join();
  other.join();
  std::printf("%ld\n", lasting->seen());
  return 0;
}
