// VERBS check confirm
// A class that counts, with a predicate for its condition; and records on the stack of who waits, behind wrappers of the library's mutex and
// condition. Each thread has its own record, which who waited merges.
#include <condition_variable>
#include <mutex>
#include <thread>

class WaitGroup {
public:
  void add() {
    std::lock_guard<std::mutex> guard(mutex_);
    ++count_; // NORACE
  }
  void done() {
    std::lock_guard<std::mutex> guard(mutex_);
    if (--count_ == 0) changed_.notify_all(); // NORACE
  }
  void wait() {
    std::unique_lock<std::mutex> guard(mutex_);
    changed_.wait(guard, [this] { return count_ == 0; }); // NORACE
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int count_ = 0;
};

static WaitGroup group;
static int before, after;

struct Gate {
  std::mutex mutex;
  std::condition_variable changed;
  int done = 0;
  void lock() { mutex.lock(); }
  void unlock() { mutex.unlock(); }
  void wait() {
    std::unique_lock<std::mutex> guard(mutex, std::adopt_lock);
    changed.wait(guard);
    guard.release();
  }
};

struct Sum {
  int value = 0;
  void add(int more) { value += more; }                  // NORACE
  void merge(const Sum &other) { value += other.value; } // NORACE
};

struct Argument {
  Gate *gate = nullptr;
  Sum *sum = nullptr;
};

static void body(Argument *own) {
  own->sum->add(3);
  own->gate->lock();
  ++own->gate->done; // NORACE
  own->gate->changed.notify_all();
  own->gate->unlock();
}

static int runAll(int count) {
  Gate gate;
  Argument *arguments = new Argument[count];
  for (int i = 0; i < count; ++i) {
    arguments[i].gate = &gate;
    arguments[i].sum = new Sum;
    std::thread(body, &arguments[i]).detach();
  }
  gate.lock();
  while (gate.done < count) gate.wait(); // NORACE
  gate.unlock();
  for (int i = 1; i < count; ++i) arguments[0].sum->merge(*arguments[i].sum);
  return arguments[0].sum->value; // NORACE
}

int main() {
  for (int i = 0; i < 4; ++i) {
    group.add();
    std::thread([] {
      before = 1; // RACE before SELF
      group.done();
      after = 1; // RACE after SELF // RACE late
    }).detach();
  }
  group.wait();
  int sum = before; // NORACE
  sum += after;     // RACE late
  return sum + runAll(4) < 0;
}
