// VERBS check
// FLAGS -std=c++20
// SHOWN
// Tasks of std::async that get variables of their creator, by capture and by reference.
#include <cstdio>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <string>
#include <vector>

using Tasks = std::vector<std::future<void>>;

static void finish(Tasks &tasks) {
  for (auto &task : tasks) task.get();
}

static void besideOne() {
  int count = 0;
  auto task = std::async(std::launch::async, [&count] { count++; }); // RACE beside
  count++;                                                           // RACE beside
  task.get();
  std::printf("%d\n", count);
}

static void amongThemselves() {
  std::vector<int> list;
  Tasks tasks;
  for (int i = 0; i < 4; i++)
    tasks.push_back(std::async(std::launch::async, [&list, i] { list.push_back(i); })); // RACE list SELF
  finish(tasks);
}

static void add(std::string &text, int n) { text += std::to_string(n); } // RACE text SELF

static void byReference() {
  std::string text;
  Tasks tasks;
  for (int i = 0; i < 4; i++) tasks.push_back(std::async(std::launch::async, add, std::ref(text), i));
  finish(tasks);
  std::puts(text.c_str());
}

static void byLock() {
  std::mutex mutex;
  std::map<int, int> table;
  Tasks tasks;
  for (int i = 0; i < 4; i++)
    tasks.push_back(std::async(std::launch::async, [&, i] {
      std::lock_guard guard(mutex);
      table[i % 2]++; // NORACE
    }));
  finish(tasks);
}

int main() {
  besideOne();
  amongThemselves();
  byReference();
  byLock();
}
