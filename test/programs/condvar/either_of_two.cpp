// VERBS check
// FLAGS -std=c++20
// SHOWN
// Who waits until there is an item or the channel is closed has not seen that it was closed: what is done until then is done beside it.
// Who waits for two things comes after both.
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

class Channel {
public:
  void push(int item) {
    {
      std::lock_guard lock(mutex_);
      items_.push_back(item);
    }
    changed_.notify_one();
  }
  std::optional<int> pop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return closed_ || !items_.empty(); });
    if (items_.empty()) return std::nullopt;
    int item = items_.front();
    items_.pop_front();
    return item;
  }
  void close() {
    {
      std::lock_guard lock(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<int> items_;
  bool closed_ = false;
};

struct Stages {
  std::mutex mutex;
  std::condition_variable changed;
  bool loaded = false;
  bool opened = false;
  int data = 0;
  int either = 0;

  void load() {
    data = 3;   // NORACE
    either = 3; // RACE either
    {
      std::lock_guard lock(mutex);
      loaded = true;
    }
    changed.notify_all();
  }
  void open() {
    {
      std::lock_guard lock(mutex);
      opened = true;
    }
    changed.notify_all();
  }
  int both() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return loaded && opened; });
    lock.unlock();
    return data; // NORACE
  }
  int one() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return !(!loaded && !opened); });
    lock.unlock();
    return either; // RACE either
  }
};

static int follow() {
  int level = 0;
  long sum = 0;
  Channel channel;
  std::thread worker([&] {
    while (auto item = channel.pop()) sum += *item * level; // RACE level
  });
  for (int i = 0; i < 20; ++i) {
    channel.push(i);
    level = i; // RACE level
  }
  channel.close();
  worker.join();
  return sum > 0; // NORACE
}

static int wait() {
  Stages stages;
  std::thread loader([&] { stages.load(); });
  std::thread opener([&] { stages.open(); });
  const int sum = stages.one() + stages.both();
  loader.join();
  opener.join();
  return sum;
}

int main() { return follow() + wait() == 0; }
