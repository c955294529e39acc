// VERBS check run
// FLAGS -std=c++20
// SHOWN
// What a container on the stack keeps is the thread's own, though all containers of that kind get their blocks from one function of the
// library. What is put into the shared one is not.
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static std::mutex lock;
static std::vector<int> all, unguarded;
static std::vector<std::string> pages;

static void work(int id) {
  std::vector<int> row(3);
  row[0] = id;  // NORACE
  std::vector<int> mine;
  for (int i = 0; i < 10; ++i) mine.push_back(i * id);  // NORACE
  std::string page = "page" + std::to_string(id);       // NORACE
  for (int i = 0; i < id; ++i) page += '!';             // NORACE
  unguarded.push_back(row[0]);                          // RACE unguarded SELF
  std::lock_guard<std::mutex> guard(lock);
  all.insert(all.end(), mine.begin(), mine.end());  // NORACE
  pages.push_back(page);                            // NORACE
}

int main() {
  all.reserve(100);
  unguarded.reserve(100);
  std::thread a(work, 1), b(work, 2);
  a.join();
  b.join();
  return all.size() + unguarded.size() + pages.size() == 0;
}
