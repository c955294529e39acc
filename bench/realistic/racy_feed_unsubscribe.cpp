// SHOWN
// FLAGS -std=c++20
// A feed calls its observers from a copied list outside the lock; a subscriber clears its sink after unsubscribing although a call may be in flight.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

class Sink {
public:
  void append(const std::string &line) {
    std::lock_guard lock(mu_);
    lines_.push_back(line);
    std::this_thread::sleep_for(std::chrono::microseconds(30)); // a slow medium
  }
  std::size_t lines() {
    std::lock_guard lock(mu_);
    return lines_.size();
  }

private:
  std::mutex mu_;
  std::vector<std::string> lines_;
};

class Observer {
public:
  virtual ~Observer() = default;
  virtual void on_item(const std::string &item) = 0;
};

class Feed {
public:
  void subscribe(std::shared_ptr<Observer> o) {
    std::lock_guard lock(mu_);
    observers_.push_back(std::move(o));
  }
  void unsubscribe(const Observer *o) {
    std::lock_guard lock(mu_);
    std::erase_if(observers_, [o](const auto &p) { return p.get() == o; });
  }
  void publish(const std::string &item) {
    std::vector<std::shared_ptr<Observer>> targets;
    {
      std::lock_guard lock(mu_);
      targets = observers_;
    }
    for (auto &t : targets) t->on_item(item);
  }

private:
  std::mutex mu_;
  std::vector<std::shared_ptr<Observer>> observers_;
};

class Archiver : public Observer {
public:
  explicit Archiver(Sink *sink) : sink_(sink) {}
  void on_item(const std::string &item) override {
    Sink *out = sink_; // RACE sink
    if (out != nullptr) out->append(item);
  }
  void detach(Feed &feed) {
    feed.unsubscribe(this);
    sink_ = nullptr; // RACE sink
  }

private:
  Sink *sink_;
};

int main() {
  auto feed = std::make_unique<Feed>();
  auto sink = std::make_unique<Sink>();
  std::jthread publisher([&feed] {
    for (int i = 0; i < 150; ++i) {
      feed->publish("item " + std::to_string(i));
      if (i % 20 == 0) std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  });
  for (int round = 0; round < 20; ++round) {
    auto archiver = std::make_shared<Archiver>(sink.get());
    feed->subscribe(archiver);
    std::this_thread::sleep_for(std::chrono::microseconds(100));
    archiver->detach(*feed);
  }
  publisher.join();
  std::printf("archived %s\n", sink->lines() <= 3000 ? "some" : "too many");
}
