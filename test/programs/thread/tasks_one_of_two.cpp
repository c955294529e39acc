// VERBS check
// FLAGS -std=c++20
// SHOWN
// Two tasks of one function: who has the result of one knows nothing of the other. Nor does who asks whether a task is ready, and it is not.
#include <chrono>
#include <cstdio>
#include <future>
#include <mutex>

static std::mutex mutex;
static int parts;
static int whole;
static int polled;

static int add() {
  std::lock_guard lock(mutex);
  parts++; // RACE parts
  whole++; // NORACE read after both have ended
  return 1;
}

static int slowly() {
  std::lock_guard lock(mutex);
  polled++; // RACE polled
  return 1;
}

static int oneOfTwo() {
  auto first = std::async(std::launch::async, add);
  auto second = std::async(std::launch::async, add);
  first.get();
  int seen = parts; // RACE parts
  second.get();
  return seen + whole; // NORACE
}

static int whileNotReady() {
  int seen = 0;
  auto task = std::async(std::launch::async, slowly);
  do seen += polled; // RACE polled
  while (task.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready);
  return seen + task.get() + polled; // NORACE
}

int main() {
  int seen = oneOfTwo() + whileNotReady();
  std::printf("%d\n", seen > 0);
  return 0;
}
