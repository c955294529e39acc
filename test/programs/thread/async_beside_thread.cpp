// VERBS check confirm
// A task of std::async beside a std::thread: the library starts both alike, and each executes its own function.
#include <future>
#include <thread>

static int ofThread, ofTask, ofBoth;

static int task() {
  ++ofTask; // NORACE
  ++ofBoth; // RACE both
  return 1;
}

int main() {
  std::thread thread([] {
    ++ofThread; // NORACE
    ++ofBoth;   // RACE both
  });
  std::future<int> done = std::async(std::launch::async, task);
  int sum = done.get();
  thread.join();
  return sum + ofThread + ofTask + ofBoth == 0;
}
