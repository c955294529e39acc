// FLAGS -std=c++17
// Threads that objects keep: who has joined those of all objects comes after them, who has joined one of two does not.
#include <cstdio>
#include <memory>
#include <thread>

static long all, some, held, own, last, kept, left;

class Worker {
public:
  explicit Worker(long *total) : total_(total) {}
  void start() { thread_ = std::thread(&Worker::run, this); }
  void join() { thread_.join(); }

private:
  void run() {
    for (int i = 0; i < 50; ++i) __atomic_fetch_add(total_, 1, __ATOMIC_RELAXED); // RACE some
  }

  long *total_;
  std::thread thread_;
};

static void joinsBoth() {
  Worker a(&all), b(&all);
  a.start();
  b.start();
  a.join();
  b.join();
  std::thread reader([] { std::printf("%ld\n", all); }); // NORACE
  reader.join();
}

static void joinsOne() {
  Worker a(&some), b(&some);
  a.start();
  b.start();
  a.join();
  std::printf("%ld\n", some); // RACE some
  b.join();
}

// The constructor starts the thread, the destructor joins it.
class Scoped {
public:
  explicit Scoped(long *total) : total_(total), thread_([this] { run(); }) {}
  ~Scoped() { thread_.join(); }

private:
  void run() {
    __atomic_fetch_add(total_, 1, __ATOMIC_RELAXED); // RACE last
  }

  long *total_;
  std::thread thread_;
};

static void joinsByScope() {
  {
    Scoped a(&own), b(&own);
  }
  std::thread reader([] { std::printf("%ld\n", own); }); // NORACE
  reader.join();
  Scoped c(&last), d(&last);
  std::printf("%ld\n", last); // RACE last
}

static void joinsWhatPointersHold() {
  auto a = std::make_unique<Worker>(&held), b = std::make_unique<Worker>(&held);
  a->start();
  b->start();
  a->join();
  b->join();
  std::thread reader([] { std::printf("%ld\n", held); }); // NORACE
  reader.join();
}

// The constructor starts the thread, and who has the object joins it.
class Started {
public:
  explicit Started(long *total) : total_(total), thread_([this] { run(); }) {}
  void join() { thread_.join(); }

private:
  void run() {
    __atomic_fetch_add(total_, 1, __ATOMIC_RELAXED); // RACE left
  }

  long *total_;
  std::thread thread_;
};

static void joinsStarted() {
  Started a(&kept), b(&kept);
  a.join();
  b.join();
  std::thread reader([] { std::printf("%ld\n", kept); }); // NORACE
  reader.join();
  Started c(&left), d(&left);
  d.join();
  std::printf("%ld\n", left); // RACE left
  c.join();
}

int main() {
  joinsBoth();
  joinsOne();
  joinsByScope();
  joinsWhatPointersHold();
  joinsStarted();
}
