// VERBS check confirm
// All that a container does for one call is one access of it, at the line of the call.
#include <map>
#include <mutex>
#include <thread>
#include <vector>

struct Index {
  std::mutex gate;
  std::map<int, int> places;
  std::vector<int> order;
};

static Index shared;

static void insert(int key) {
  shared.order.push_back(key); // RACE order SELF
  std::lock_guard hold(shared.gate);
  shared.places[key] = 1; // RACE places
}

static bool contains(int key) {
  return shared.places.count(key) != 0; // RACE places
}

int main() {
  std::thread first([] { insert(1); });
  std::thread second([] { insert(2); });
  bool found = contains(1);
  first.join();
  second.join();
  return found && shared.order.size() == 0; // NORACE both were joined
}
