// VERBS check
// FLAGS -std=c++20
// SHOWN
// Who waits for one of the tasks that a loop has started does not know that the others have ended.
#include <future>
#include <mutex>
#include <vector>

static std::mutex mutex;
static int done;
static int shown;

static int task() {
  std::lock_guard lock(mutex);
  done++; // RACE first
  return 1;
}

static void first() {
  std::vector<std::future<int>> parts;
  for (int i = 0; i < 3; ++i) parts.push_back(std::async(std::launch::async, task));
  parts[0].get();
  shown = done; // RACE first
  parts[1].get();
  parts[2].get();
}

static int sum() {
  std::vector<std::future<int>> parts;
  for (int i = 0; i < 3; ++i) parts.push_back(std::async(std::launch::async, task));
  for (auto &part : parts) part.get();
  return done; // NORACE
}

int main() {
  first();
  return sum() == 6 ? 0 : 1;
}
