// VERBS check
// FLAGS -std=c++20
// SHOWN
// What waits in a vector is swapped out under the lock, and done outside of it. Who looks at an element that is still in there does so beside those that
// add to it.
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

struct Job {
  int id = 0;
};

struct Loop {
  std::mutex mutex;
  std::vector<std::function<void()>> tasks;
  std::vector<std::unique_ptr<Job>> jobs;
  long done = 0;

  void post(int n) {
    std::lock_guard guard(mutex);
    tasks.push_back([this, n] { done += n; });            // NORACE
    jobs.push_back(std::make_unique<Job>(Job{.id = n})); // NORACE
  }

  void drain() {
    std::vector<std::function<void()>> todo;
    std::vector<std::unique_ptr<Job>> mine;
    {
      std::lock_guard guard(mutex);
      todo.swap(tasks);
      mine = std::exchange(jobs, {}); // RACE empty
    }
    for (auto &task : todo) task();          // NORACE
    for (auto &job : mine) done += job->id; // NORACE
  }

  bool isEmpty() const { return jobs.empty(); } // RACE empty
};

int main() {
  Loop loop;
  std::thread thread([&loop] {
    for (int i = 0; i < 100; ++i) loop.drain();
  });
  for (int i = 0; i < 20; ++i) loop.post(i);
  const bool isEmpty = loop.isEmpty();
  thread.join();
  return isEmpty && loop.done < 0;
}
