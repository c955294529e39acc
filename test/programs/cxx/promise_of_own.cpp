// VERBS check run
// FLAGS -std=c++20
// SHOWN
// Threads make promises and strings of their own, with what the library keeps for them; the count of answers is everybody's.
#include <future>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

struct Reply {
  int filled = 0;
  int resting = 0;
};

static std::mutex mutex;
static std::map<std::string, int> pages;
static long answers;

static std::future<Reply> post(int i) {
  std::promise<Reply> promise;
  auto future = promise.get_future();
  promise.set_value({i, i});
  return future;
}

static int look(const std::string &name) {
  std::lock_guard<std::mutex> guard(mutex);
  return pages[name]++; // NORACE
}

int main() {
  int filled[8] = {};
  std::vector<std::jthread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 100; ++i) {
        answers += look("page" + std::to_string(i % 7)); // RACE answers SELF
        filled[t] += post(i).get().filled;               // NORACE
      }
    });
  threads.clear();
  return filled[0] + filled[1] > 0 && answers > 0 ? 0 : 1;
}
