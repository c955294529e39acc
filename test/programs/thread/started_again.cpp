// VERBS check run
// SHOWN
// A function that starts one thread for its object is called again for the same one.
#include <thread>
#include <vector>

class Pool {
public:
  explicit Pool(int count) {
    for (int i = 0; i < count; ++i) add();
  }
  ~Pool() {
    for (std::thread &worker : workers_) worker.join();
  }

private:
  void add() {
    workers_.emplace_back([this] { work(); });
  }
  void work() { ++done_; } // RACE done SELF

  std::vector<std::thread> workers_;
  long done_ = 0;
};

class Server {
public:
  void accept() {
    std::thread([this] { serve(); }).detach();
  }

private:
  void serve() { ++served_; } // RACE served SELF
  long served_ = 0;
};

// Asks whether there is one already.
class Lazy {
public:
  void use() {
    if (!running_) {
      running_ = true;
      worker_ = std::thread([this] { work(); });
    }
  }
  void stop() { worker_.join(); }

private:
  void work() { ++rounds_; } // NORACE
  bool running_ = false;
  std::thread worker_;
  long rounds_ = 0;
};

// Each ends before the next one begins.
class Round {
public:
  void begin() {
    worker_ = std::thread([this] { work(); });
  }
  void end() { worker_.join(); }

private:
  void work() { ++count_; } // NORACE
  std::thread worker_;
  long count_ = 0;
};

int main() {
  Pool pool(3);
  static Server server;
  server.accept();
  server.accept();
  Lazy lazy;
  for (int i = 0; i < 3; ++i) lazy.use();
  lazy.stop();
  Round round;
  for (int i = 0; i < 3; ++i) {
    round.begin();
    round.end();
  }
  return 0;
}
