// What runs when a thread ends: destructors of its thread-local objects, and of the values of its keys.
#include <cstdlib>
#include <mutex>
#include <pthread.h>
#include <thread>

static int total, guarded, destroyed;
static std::mutex mutex;
static pthread_key_t key;

struct Counts {
  int own = 0;
  ~Counts() {
    total += own; // RACE total SELF
    std::lock_guard<std::mutex> guard(mutex);
    guarded += own; // NORACE
  }
};
static thread_local Counts counts;

static void destroy(void *value) {
  destroyed += 1; // RACE destroyed SELF
  std::free(value);
}

static void work() {
  if (!pthread_getspecific(key)) pthread_setspecific(key, std::malloc(8));
  for (int i = 0; i < 5; ++i) ++counts.own; // NORACE
}

int main() {
  pthread_key_create(&key, destroy);
  std::thread one(work), other(work);
  one.join();
  other.join();
  return total + guarded + destroyed < 0; // NORACE
}
