// VERBS check confirm
// Threads whose bodies are lambdas with captures by reference and by value, and functions with arguments.
#include <functional>
#include <mutex>
#include <thread>

static void add(int &sum, int amount) {
  sum += amount; // RACE sum SELF
}

int main() {
  int hits = 0;
  int guarded = 0;
  int sum = 0;
  std::mutex gate;
  std::thread first([&] {
    ++hits; // RACE hits
    std::lock_guard hold(gate);
    ++guarded; // NORACE
  });
  std::thread second([&, own = 3]() mutable {
    ++own;  // NORACE a copy
    ++hits; // RACE hits
    std::lock_guard hold(gate);
    ++guarded; // NORACE
  });
  std::thread third(add, std::ref(sum), 1);
  std::thread fourth(add, std::ref(sum), 2);
  first.join();
  second.join();
  third.join();
  fourth.join();
  return hits + guarded + sum == 0;
}
