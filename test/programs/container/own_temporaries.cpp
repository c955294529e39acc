// FLAGS -std=c++20
// A temporary on the stack of a function that several threads execute is another object in each of them, though the library's functions
// get it by a pointer, and the lock is a member of a block that was allocated.
#include <cstdio>
#include <mutex>
#include <pthread.h>
#include <string>
#include <unordered_map>

class Store {
public:
  void put() {
    std::lock_guard<std::mutex> hold(gate_);
    counts_["a"] += 1; // NORACE
    ++writes_;         // RACE writes
  }
  long count() {
    std::lock_guard<std::mutex> hold(gate_);
    return static_cast<long>(counts_.count("a")); // NORACE
  }
  long writes() const {
    return writes_; // RACE writes
  }

private:
  std::mutex gate_;
  std::unordered_map<std::string, long> counts_;
  long writes_ = 0;
};

static void work(Store &store) {
  for (int i = 0; i < 50; ++i) store.put();
}

static void *enter(void *store) {
  work(*static_cast<Store *>(store));
  return nullptr;
}

int main() {
  Store *store = new Store;
  pthread_t a, b;
  pthread_create(&a, nullptr, enter, store);
  pthread_create(&b, nullptr, enter, store);
  std::printf("%ld\n", store->writes());
  std::printf("%ld\n", store->count());
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
  delete store;
}
