// VERBS check confirm
// Threads that are kept in members: a pool that starts them in its constructor and joins them in its destructor, and one thread that is
// moved into its member and joined by another function.
#include <thread>
#include <vector>

class Pool {
public:
  explicit Pool(int count) {
    for (int i = 0; i < count; ++i) threads_.emplace_back([this] { run(); });
  }
  ~Pool() {
    early_ = 2; // RACE early
    for (std::thread &thread : threads_) thread.join();
    late_ = 2; // NORACE all have ended
  }

private:
  void run() {
    int seen = early_; // RACE early
    late_ += seen;     // RACE late SELF
  }
  int early_ = 0, late_ = 0;
  std::vector<std::thread> threads_;
};

struct Service {
  std::thread thread;
  int early = 0, late = 0;
  void start() {
    thread = std::thread([this] {
      early = 1; // RACE first
      late = 1;  // NORACE
    });
  }
  void stop() {
    early = 2; // RACE first
    thread.join();
    late = 2; // NORACE
  }
};

int main() {
  Pool pool(4);
  Service service;
  service.start();
  service.stop();
  return service.early + service.late == 0;
}
