// VERBS check confirm
// Locks that a program makes itself: for readers and writers, of a mutex, a condition and two numbers; and one that its holder may take again.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

class ReadWrite {
public:
  void lockShared() {
    std::unique_lock<std::mutex> guard(mutex_);
    while (writing_) changed_.wait(guard); // NORACE
    ++readers_;                            // NORACE
  }
  void unlockShared() {
    std::unique_lock<std::mutex> guard(mutex_);
    if (--readers_ == 0) changed_.notify_all(); // NORACE
  }
  void lock() {
    std::unique_lock<std::mutex> guard(mutex_);
    changed_.wait(guard, [this] { return !writing_ && readers_ == 0; }); // NORACE
    writing_ = true;                                                     // NORACE
  }
  void unlock() {
    std::unique_lock<std::mutex> guard(mutex_);
    writing_ = false; // NORACE
    changed_.notify_all();
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int readers_ = 0;
  bool writing_ = false;
};

class Again {
public:
  void lock() {
    if (owner_.load() == std::this_thread::get_id()) {
      ++depth_; // NORACE
      return;
    }
    mutex_.lock();
    owner_.store(std::this_thread::get_id());
    depth_ = 1; // NORACE
  }
  void unlock() {
    if (--depth_ == 0) { // NORACE
      owner_.store({});
      mutex_.unlock();
    }
  }

private:
  std::mutex mutex_;
  std::atomic<std::thread::id> owner_{};
  int depth_ = 0;
};

static ReadWrite board;
static Again tree;
static int best, offers, nodes, leaves;

static void offer(int value) {
  board.lock();
  best = value; // NORACE
  board.unlock();
  board.lockShared();
  ++offers; // RACE offers SELF
  board.unlockShared();
}

static int look() {
  board.lockShared();
  int seen = best; // NORACE
  board.unlockShared();
  return seen;
}

static void grow(int depth) {
  std::lock_guard<Again> guard(tree);
  ++nodes; // NORACE
  if (depth > 0) grow(depth - 1);
  ++leaves; // RACE leaves
}

static void run() {
  for (int i = 0; i < 10; ++i) {
    offer(i);
    grow(2);
  }
}

int main() {
  std::thread one(run), other(run);
  int sum = look();
  sum += leaves; // RACE leaves
  one.join();
  other.join();
  return sum < 0;
}
