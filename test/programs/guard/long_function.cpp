// VERBS check
// SHOWN
// A guard of the program's own, in a function that writes a lot before it: at its end it gives back what it has taken, and no other lock.
#include <pthread.h>
#include <thread>

class Mutex {
public:
  void lock();
  void unlock();

private:
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
};

__attribute__((noinline)) void Mutex::lock() { pthread_mutex_lock(&mutex_); }
__attribute__((noinline)) void Mutex::unlock() { pthread_mutex_unlock(&mutex_); }

class Guard {
public:
  explicit Guard(Mutex &mutex);
  ~Guard();

private:
  Mutex &mutex_;
};

__attribute__((noinline)) Guard::Guard(Mutex &mutex) : mutex_(mutex) { mutex_.lock(); }
__attribute__((noinline)) Guard::~Guard() { mutex_.unlock(); }

struct Line {
  int a, b, c, d, e, f, g, h;
};

struct Report {
  Line lines[8];
  Mutex gate;
  int sent;
};

static Mutex all;
static int closed, listed, open;

__attribute__((noinline)) static void fill(Line &line, int value) {
  line.a = value;
  line.b = value + 1;
  line.c = value + 2;
  line.d = value + 3;
  line.e = value + 4;
  line.f = value + 5;
  line.g = value + 6;
  line.h = value + 7;
}

__attribute__((noinline)) static void send(Report &report) {
  Report copy;
  fill(copy.lines[0], 1);
  fill(copy.lines[1], 2);
  fill(copy.lines[2], 3);
  fill(copy.lines[3], 4);
  fill(copy.lines[4], 5);
  fill(copy.lines[5], 6);
  fill(copy.lines[6], 7);
  fill(copy.lines[7], 8);
  Guard guard(report.gate);
  report.sent += copy.lines[3].d + copy.lines[7].h;
}

// The same, but it gives back a lock of its caller's while it works.
__attribute__((noinline)) static void sendAlone(Report &report) {
  all.unlock();
  send(report);
  open++; // RACE open SELF
  all.lock();
}

static void collect(Report *report) {
  Guard guard(all);
  send(*report);
  closed++; // NORACE
  sendAlone(*report);
  listed++; // NORACE
}

int main() {
  Report report = {};
  std::thread one(collect, &report), two(collect, &report);
  one.join();
  two.join();
  return closed + listed + open;
}
