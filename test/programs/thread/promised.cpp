// VERBS check confirm
// Who waits for a future comes after what was done before its promise was kept, and not after what is done then.
#include <future>
#include <thread>

struct Report {
  int lines = 0, late = 0;
};

static void build(Report &report, std::promise<void> done) {
  report.lines = 5; // NORACE
  done.set_value();
  report.late = 1; // RACE late
}

int main() {
  Report report;
  std::promise<void> promise;
  std::future<void> future = promise.get_future();
  std::thread thread(build, std::ref(report), std::move(promise));
  future.wait();
  int sum = report.lines; // NORACE
  sum += report.late;     // RACE late
  thread.join();
  return sum < 0;
}
