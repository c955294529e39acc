// SHOWN
// FLAGS -std=c++20
// A consumer unlocks before it has read the queue's head, into which producers still merge updates.
#include <condition_variable>
#include <cstdio>
#include <list>
#include <mutex>
#include <thread>

struct Update {
  int key;
  long amount;
};

class UpdateQueue {
public:
  void push(int key, long amount) {
    std::unique_lock lock(mutex_);
    if (!updates_.empty() && updates_.back().key == key)
      updates_.back().amount += amount; // RACE amount
    else
      updates_.push_back(Update{key, amount});
    lock.unlock();
    ready_.notify_one();
  }
  void close() {
    std::lock_guard lock(mutex_);
    closed_ = true;
    ready_.notify_all();
  }
  bool consume(long &total) {
    std::unique_lock lock(mutex_);
    ready_.wait(lock, [this] { return closed_ || !updates_.empty(); });
    if (updates_.empty()) return false;
    Update &head = updates_.front();
    lock.unlock();
    total += head.amount; // RACE amount
    lock.lock();
    updates_.pop_front();
    return true;
  }

private:
  std::mutex mutex_;
  std::condition_variable ready_;
  std::list<Update> updates_;
  bool closed_ = false;
};

int main() {
  UpdateQueue queue;
  long total = 0;
  std::thread consumer([&] {
    while (queue.consume(total)) {
    }
  });
  std::thread other([&queue] {
    for (int i = 0; i < 200; ++i) queue.push(1, i);
  });
  for (int i = 0; i < 200; ++i) queue.push(1, i);
  other.join();
  queue.close();
  consumer.join();
  std::printf("%d\n", total > 0);
  return 0;
}
