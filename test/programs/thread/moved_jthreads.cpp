// VERBS check
// FLAGS -std=c++20
// SHOWN
// A std::jthread that is assigned leaves variables of the library's empty, whose destructors join nobody; the thread runs on.
#include <stop_token>
#include <thread>

static int value, done, scoped;

struct Service {
  std::jthread worker;
  int ticks = 0;
  void start() {
    worker = std::jthread([this](const std::stop_token &token) {
      while (!token.stop_requested()) ++ticks; // RACE ticks
    });
  }
  int look() { return ticks; } // RACE ticks
};

struct Joined {
  std::jthread worker;
  void start() {
    worker = std::jthread([] {
      done = 1; // NORACE
    });
  }
  void stop() { worker.join(); }
};

int main() {
  std::jthread thread;
  thread = std::jthread([] {
    value = 1; // RACE value
  });
  value = 2; // RACE value

  Service service;
  service.start();
  int seen = service.look();

  Joined joined;
  joined.start();
  joined.stop();
  done = 2; // NORACE

  {
    std::jthread inner;
    inner = std::jthread([] {
      scoped = 1; // NORACE
    });
  }
  scoped = 2; // NORACE
  return seen < 0;
}
