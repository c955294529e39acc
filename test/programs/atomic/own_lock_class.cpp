// VERBS check run
// FLAGS -std=c++20
// SHOWN
// A class that is a lock, made of std::atomic: as good as a mutex, and no longer than it is held.
#include <atomic>
#include <mutex>
#include <thread>

class Spin {
 public:
  void lock() {
    while (busy_.exchange(true, std::memory_order_acquire)) std::this_thread::yield();
  }
  void unlock() { busy_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> busy_{false};
};

struct Store {
  Spin lock, other;
  std::atomic_flag flag = ATOMIC_FLAG_INIT;
  int inside = 0, after = 0, crossed = 0, flagged = 0;

  void put(int i) {
    {
      std::lock_guard<Spin> guard(lock);
      inside += i;   // NORACE
      crossed += i;  // RACE crossed
    }
    after += i;  // RACE after SELF
    while (flag.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
    flagged += i;  // RACE flagged
    flag.clear(std::memory_order_release);
  }
  void cross(int i) {
    std::lock_guard<Spin> guard(other);
    crossed += i;  // RACE crossed
  }
  int glance() const { return flagged; }  // RACE flagged
};

int main() {
  Store store;
  std::thread one([&] { store.put(1); });
  std::thread two([&] { store.put(2); });
  std::thread three([&] { store.cross(store.glance()); });
  one.join();
  two.join();
  three.join();
  return store.inside == 3 ? 0 : 1;
}
