// VERBS check
// SHOWN
// Whoever looks something up in a tree or walks a list reads what an insertion links anew, in code of the library's own (which a run does
// not see).
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <thread>

static std::map<int, int> names;
static std::set<int> seen;
static std::list<int> order;
static std::map<int, int> guarded;
static std::mutex lock;

static void fill() {
  for (int i = 0; i < 4; ++i) {
    names.emplace(i, i); // RACE names
    seen.insert(i);      // RACE seen
    order.push_back(i);  // RACE order
    std::lock_guard<std::mutex> guard(lock);
    guarded.emplace(i, i); // NORACE
  }
}

int main() {
  std::thread filler(fill);
  int found = names.find(2) != names.end();  // RACE names
  found += static_cast<int>(seen.count(2));  // RACE seen
  found += order.empty() ? 0 : 1;            // RACE order
  {
    std::lock_guard<std::mutex> guard(lock);
    found += static_cast<int>(guarded.count(2)); // NORACE
  }
  filler.join();
  found += static_cast<int>(names.count(3)); // NORACE
  return found == 0;
}
