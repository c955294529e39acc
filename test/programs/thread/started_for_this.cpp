// VERBS check run
// FLAGS -std=c++20
// SHOWN
// Members that start threads for their own object, and go on with it.
#include <thread>

class Poller {
public:
  void start() {
    limit_ = 3; // NORACE
    thread_ = std::thread(&Poller::loop, this);
    limit_ = 5; // RACE limit
  }
  ~Poller() { thread_.join(); }

private:
  void loop() {
    for (int i = 0; i < limit_; i++) std::this_thread::yield(); // RACE limit
  }
  int limit_ = 0;
  std::thread thread_;
};

struct Counter {
  int counted = 0, seen = 0;
  void count() { counted += 3; } // RACE counted
  void show() { seen = counted; } // RACE counted
  void run() {
    std::thread thread([this] { count(); });
    show();
    thread.join();
    seen += counted; // NORACE
  }
};

int main() {
  Poller poller;
  poller.start();
  Counter counter;
  counter.run();
  return counter.seen > 0 ? 0 : 1;
}
