// SHOWN
// FLAGS -std=c++20
// A spin lock and guards of the program's own; trylock and conditional locking.
#include <atomic>
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

class SpinLock {
public:
  void lock() noexcept {
    while (flag_.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
  }
  bool try_lock() noexcept { return !flag_.test_and_set(std::memory_order_acquire); }
  void unlock() noexcept { flag_.clear(std::memory_order_release); }

private:
  std::atomic_flag flag_ = ATOMIC_FLAG_INIT;
};

template <class Lock> class Guarded {
public:
  explicit Guarded(Lock &lock) : lock_(lock) { lock_.lock(); }
  ~Guarded() { lock_.unlock(); }
  Guarded(const Guarded &) = delete;
  Guarded &operator=(const Guarded &) = delete;

private:
  Lock &lock_;
};

class Freelist {
public:
  struct Block {
    Block *next = nullptr;
    unsigned char bytes[48] = {};
  };
  ~Freelist() {
    while (head_) delete std::exchange(head_, head_->next);
  }
  Block *allocate() {
    {
      Guarded<SpinLock> guard(lock_);
      if (head_) {
        Block *block = head_;
        head_ = block->next; // NORACE
        --length_;
        return block;
      }
    }
    return new Block;
  }
  void release(Block *block) {
    Guarded<SpinLock> guard(lock_);
    block->next = head_; // NORACE
    head_ = block;
    ++length_;
  }
  bool trim() {
    if (!lock_.try_lock()) return false;
    while (length_ > 2) { // NORACE
      delete std::exchange(head_, head_->next);
      --length_;
    }
    lock_.unlock();
    return true;
  }

private:
  SpinLock lock_;
  Block *head_ = nullptr;
  int length_ = 0;
};

class Progress {
public:
  void step() {
    std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
    if (lock.owns_lock())
      ++shown_; // NORACE
    else
      skipped_.fetch_add(1);
  }
  int finish() {
    std::unique_lock<std::mutex> lock(mutex_, std::defer_lock);
    lock.lock();
    return shown_ + skipped_;
  }

private:
  std::mutex mutex_;
  int shown_ = 0;
  std::atomic<int> skipped_{0};
};

int main() {
  Freelist list;
  Progress progress;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        Freelist::Block *a = list.allocate(), *b = list.allocate();
        a->bytes[0] = static_cast<unsigned char>(t); // NORACE
        b->bytes[1] = a->bytes[0];                   // NORACE
        list.release(a);
        if (i % 10 == 0) list.trim();
        list.release(b);
        progress.step();
      }
    });
  for (auto &thread : threads) thread.join();
  std::printf("%d\n", progress.finish());
  return 0;
}
