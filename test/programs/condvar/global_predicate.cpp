// VERBS check
// A predicate without captures asks a variable with static storage: who has waited for it comes after who wrote it.
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable idle;
static int active, last, after;

static void task(int number) {
  last = number; // RACE last SELF
  std::lock_guard<std::mutex> guard(mutex);
  if (--active == 0) idle.notify_one(); // NORACE
}

static void careless() {
  {
    std::lock_guard<std::mutex> guard(mutex);
    if (--active == 0) idle.notify_one(); // NORACE
  }
  after = 1; // RACE after // RACE twice SELF
}

int main() {
  for (int i = 0; i < 6; ++i) {
    {
      std::lock_guard<std::mutex> guard(mutex);
      ++active; // NORACE
    }
    if (i < 5)
      std::thread(task, i).detach();
    else
      std::thread(careless).detach();
  }
  std::unique_lock<std::mutex> guard(mutex);
  idle.wait(guard, [] { return active == 0; }); // NORACE
  int sum = last;                               // NORACE
  sum += after;                                 // RACE after
  return sum < 0;
}
