// SHOWN
// What main makes on the heap is one object, whichever way threads get to it: by references in objects of their own, in closures, or through
// std::async. Each element of an array is not.
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

struct Store {
  std::mutex mutex, other;
  std::unique_ptr<long> cell = std::make_unique<long>(0);
  long hits = 0, misses = 0;

  void add() {
    std::lock_guard<std::mutex> hold(mutex);
    *cell += 1;  // NORACE
    hits += 1;   // RACE other
    misses += 1; // NORACE
  }
  void addUnderOther() {
    std::lock_guard<std::mutex> hold(other);
    hits += 1; // RACE other
  }
};

class Worker {
public:
  explicit Worker(Store &store) : store_(store) {}
  void start() {
    thread_ = std::thread([this] { store_.addUnderOther(); });
  }
  void join() { thread_.join(); }

private:
  Store &store_;
  std::thread thread_;
};

struct Part {
  long sum = 0;
};

static void sumUp(Part *part) {
  part->sum += 1; // NORACE
}

static long tasks;

int main() {
  auto store = std::make_unique<Store>();
  Worker first(*store);
  first.start();
  auto one = std::async(std::launch::async, [&] {
    store->add();
    ++tasks; // RACE tasks
  });
  auto two = std::async(std::launch::async, [&] {
    store->add();
    ++tasks; // RACE tasks
  });
  one.get();
  two.get();
  first.join();

  Part *parts = new Part[4];
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(sumUp, &parts[i]);
  for (std::thread &thread : threads) thread.join();
  long sum = parts[0].sum + store->hits + *store->cell + tasks;
  delete[] parts;
  return sum < 0;
}
