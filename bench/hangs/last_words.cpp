// What runs when threads and the program end: destructors of thread_local objects and of keys, handlers of exit, all of which lock; exit by a
// thread that is not the first, beside others that run.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <thread>

#include <pthread.h>

namespace {

std::mutex gate;
int shared;
pthread_key_t key;

void bump() {
  std::lock_guard hold(gate);
  ++shared; // aimed at
}

struct Words {
  ~Words() { bump(); }
};
thread_local Words words;

void ofKey(void *) { bump(); }

void speak() {
  (void)&words;
  pthread_setspecific(key, &key);
  bump();
}

void atExit() {
  bump();
  if (shared != 4 * 3 + 1 + 1) std::_Exit(1); // the last words of the one that exits come before
}

} // namespace

int main() {
  pthread_key_create(&key, ofKey);
  std::atexit(atExit);
  std::thread threads[4];
  for (std::thread &thread : threads) thread = std::thread(speak);
  for (std::thread &thread : threads) thread.join();
  std::thread([] {
    for (;;) std::lock_guard hold(gate);
  }).detach();
  std::thread([] {
    (void)&words;
    std::exit(0);
  }).detach();
  for (;;) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}
