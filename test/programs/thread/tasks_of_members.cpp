// VERBS check
// FLAGS -std=c++20
// SHOWN
// Tasks whose futures are kept: one function starts them, others go on beside them or wait for them.
#include <cstdio>
#include <future>

class Job {
public:
  void prepare() { total_ = 5; } // NORACE
  void start() { task_ = std::async(std::launch::async, &Job::work, this); }
  void add() { total_++; } // RACE add
  int finish() {
    task_.get();
    return total_; // NORACE
  }
  void more() { total_++; } // NORACE

private:
  void work() {
    for (int i = 0; i < 9; i++) total_ += i; // RACE add
  }
  int total_ = 0;
  std::future<void> task_;
};

static int counted;

static std::future<void> count() {
  return std::async(std::launch::async, [] { counted++; }); // RACE count
}

int main() {
  Job job;
  job.prepare();
  job.start();
  job.add();
  int total = job.finish();
  job.more();
  auto task = count();
  counted++; // RACE count
  task.get();
  counted++; // NORACE
  std::printf("%d %d\n", total, counted);
}
