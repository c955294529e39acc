// SHOWN
// An element of a container that two threads get by reference, and its owner looks at by the same number.
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

struct Store {
  std::mutex lock;
  int count = 0;
  int limit = 3;

  void add(int i) {
    std::lock_guard<std::mutex> guard(lock);
    count += i % limit; // RACE count
  }
  int glance() const { return count; } // RACE count
  int locked() {
    std::lock_guard<std::mutex> guard(lock);
    return count; // NORACE
  }
};

void addOnes(Store &store) {
  for (int i = 0; i < 3; ++i) store.add(1);
}

void addTwos(Store &store) {
  for (int i = 0; i < 3; ++i) store.add(2);
}

int main() {
  std::vector<Store> stores(2);
  std::thread one(addOnes, std::ref(stores[1]));
  std::thread two(addTwos, std::ref(stores[1]));
  int seen = stores[1].glance() + stores[1].locked();
  one.join();
  two.join();
  return seen == 12345;
}
