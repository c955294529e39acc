// VERBS check confirm
// A lock that a function makes on first use is the same one for everybody who asks; who does not ask has none.
#include <cstdlib>
#include <pthread.h>
#include <thread>

namespace {

class Lock {
public:
  Lock() { pthread_mutex_init(&mutex_, nullptr); }
  void lock() { pthread_mutex_lock(&mutex_); }
  void unlock() { pthread_mutex_unlock(&mutex_); }

private:
  pthread_mutex_t mutex_;
};

class Guard {
public:
  explicit Guard(Lock &lock) : lock_(lock) { lock_.lock(); }
  ~Guard() { lock_.unlock(); }

private:
  Lock &lock_;
};

Lock &initLock() {
  static Lock *lock = new Lock;
  return *lock;
}

int references, users;

void use() {
  Guard guard(initLock());
  ++references; // NORACE
  ++users;      // RACE users
}

void work() {
  use();
  if (users > 2) std::abort(); // RACE users
}

} // namespace

int main() {
  std::thread one(work), two(work);
  one.join();
  two.join();
  return references == 2 ? 0 : 1;
}
