// VERBS check confirm
// The guards of the standard library, as they are used.
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

static std::mutex gate, other;
static std::shared_mutex shelf;
static std::recursive_mutex nested;
static int a, b, c, d, e, f, g;

static void inner() {
  std::lock_guard hold(nested);
  ++e; // NORACE
}

static void work() {
  {
    std::lock_guard hold(gate);
    ++a; // NORACE
  }
  {
    std::unique_lock hold(gate, std::defer_lock);
    ++b; // RACE b SELF
    hold.lock();
    ++a; // NORACE
    hold.unlock();
    ++c; // RACE c SELF
  }
  {
    std::scoped_lock hold(gate, other);
    ++a; // NORACE
  }
  {
    std::shared_lock hold(shelf);
    if (d > 3) return; // NORACE writers exclude readers
    ++f;               // RACE f SELF
  }
  {
    std::unique_lock hold(shelf);
    ++d; // NORACE
  }
  {
    std::lock_guard hold(nested);
    inner();
    ++e; // NORACE still held
  }
  std::unique_lock taken(gate);
  std::unique_lock moved(std::move(taken));
  ++g; // NORACE
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) threads.emplace_back(work);
  for (std::thread &thread : threads) thread.join();
  return 0;
}
