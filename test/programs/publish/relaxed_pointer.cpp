// VERBS check
// SHOWN
// A new object is shown to others by an atomic pointer. Relaxed, that orders nothing of what was done to the object; with release, under a lock, or
// with another atomic that is asked first, it does.
#include <atomic>
#include <mutex>
#include <thread>

template <int> struct Rates { // one type each: what std::atomic<T *> does is one function for all of a type
  int version = 0;
  double euro = 0;
};

static std::atomic<Rates<0> *> loose;
static std::atomic<Rates<1> *> tight;
static std::atomic<Rates<2> *> locked;
static std::atomic<Rates<3> *> flagged;
static std::atomic<bool> isFlagged;
static std::mutex mutex;

static void showLoose() {
  auto *rates = new Rates<0>;
  rates->euro = 1.1; // RACE loose
  loose.store(rates, std::memory_order_relaxed);
}

static void showTight() {
  auto *rates = new Rates<1>;
  rates->euro = 1.2; // NORACE
  tight.store(rates, std::memory_order_release);
}

static void showLocked() {
  auto *rates = new Rates<2>;
  rates->euro = 1.3; // NORACE
  std::lock_guard<std::mutex> guard(mutex);
  locked.store(rates, std::memory_order_relaxed);
}

static void showFlagged() {
  auto *rates = new Rates<3>;
  rates->euro = 1.4; // NORACE
  flagged.store(rates, std::memory_order_relaxed);
  isFlagged.store(true, std::memory_order_release);
}

static double read() {
  double sum = 0;
  if (auto *rates = loose.load(std::memory_order_acquire)) sum += rates->euro; // RACE loose
  if (auto *rates = tight.load(std::memory_order_acquire)) sum += rates->euro; // NORACE
  {
    std::lock_guard<std::mutex> guard(mutex);
    if (auto *rates = locked.load(std::memory_order_relaxed)) sum += rates->euro; // NORACE
  }
  if (isFlagged.load(std::memory_order_acquire)) sum += flagged.load(std::memory_order_relaxed)->euro; // NORACE
  return sum;
}

int main() {
  std::thread reader([] {
    double sum = 0;
    for (int i = 0; i < 100; ++i) sum += read();
    return sum;
  });
  showLoose();
  showTight();
  showLocked();
  showFlagged();
  reader.join();
  delete loose.load();
  delete tight.load();
  delete locked.load();
  delete flagged.load();
  return 0;
}
