// VERBS check
// A class around a lock that is not taken before its constructor has run, nor after its destructor: a member says so.
#include <cstdlib>
#include <pthread.h>
#include <thread>

class Mutex {
public:
  Mutex() : isSafe_(true) {
    if (isSafe_ && pthread_rwlock_init(&lock_, nullptr) != 0) abort();
  }
  ~Mutex() {
    if (isSafe_ && pthread_rwlock_destroy(&lock_) != 0) abort();
  }
  void Lock() {
    if (isSafe_ && pthread_rwlock_wrlock(&lock_) != 0) abort();
  }
  void Unlock() {
    if (isSafe_ && pthread_rwlock_unlock(&lock_) != 0) abort();
  }
  void ReaderLock() {
    if (isSafe_ && pthread_rwlock_rdlock(&lock_) != 0) abort();
  }
  void ReaderUnlock() {
    if (isSafe_ && pthread_rwlock_unlock(&lock_) != 0) abort();
  }

private:
  pthread_rwlock_t lock_;
  volatile bool isSafe_;
};

class MutexLock {
public:
  explicit MutexLock(Mutex *mutex) : mutex_(mutex) { mutex_->Lock(); }
  ~MutexLock() { mutex_->Unlock(); }

private:
  Mutex *const mutex_;
};

class ReaderMutexLock {
public:
  explicit ReaderMutexLock(Mutex *mutex) : mutex_(mutex) { mutex_->ReaderLock(); }
  ~ReaderMutexLock() { mutex_->ReaderUnlock(); }

private:
  Mutex *const mutex_;
};

static Mutex messageLock;
static int messages, seen;

static void log() {
  {
    MutexLock guard(&messageLock);
    ++messages; // NORACE
  }
  ReaderMutexLock guard(&messageLock);
  seen += messages; // RACE seen SELF
}

int main() {
  std::thread first(log), second(log);
  first.join();
  second.join();
  return messages + seen == 0;
}
