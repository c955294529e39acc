// SHOWN
// Each worker is its thread's own, and so are the containers in it. What a pointer in it leads to may be everybody's.
#include <memory>
#include <thread>
#include <vector>

struct Totals {
  long lines = 0;
};

class Worker {
public:
  explicit Worker(Totals *totals) : totals_(totals), parts_(4) {}
  void start() {
    thread_ = std::thread([this] { run(); });
  }
  void join() { thread_.join(); }

private:
  void run() {
    for (int i = 0; i < 100; ++i) {
      count_ += 1;      // NORACE
      parts_[i % 4] += i; // NORACE
      totals_->lines += 1; // RACE lines SELF
    }
  }
  Totals *totals_;
  std::vector<int> parts_;
  long count_ = 0;
  std::thread thread_;
};

int main(int argc, char **) {
  std::vector<Totals *> kinds;
  for (int i = 0; i <= argc; ++i) kinds.push_back(new Totals);
  std::vector<std::unique_ptr<Worker>> workers;
  for (int i = 0; i < 3; ++i) workers.push_back(std::make_unique<Worker>(kinds[0]));
  for (auto &worker : workers) worker->start();
  for (auto &worker : workers) worker->join();
  return kinds[0]->lines < 0;
}
