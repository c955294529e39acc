// VERBS check confirm
// The C++ library links the nodes of lists and trees by code that no model shows.
#include <list>
#include <map>
#include <mutex>
#include <thread>

static std::list<int> bare;
static std::list<int> guarded;
static std::map<int, int> places;
static std::mutex gate;

static void add() {
  bare.push_back(1); // RACE bare
  std::lock_guard<std::mutex> hold(gate);
  guarded.push_back(1); // NORACE under the lock
  places.erase(1);      // RACE places
}

static int sum() {
  int all = 0;
  for (int each : bare) all += each; // RACE bare
  for (auto [key, value] : places)   // RACE places
    all += value;
  std::lock_guard<std::mutex> hold(gate);
  for (int each : guarded) all += each; // NORACE under the lock
  return all;
}

int main() {
  std::thread adder(add);
  int seen = sum();
  adder.join();
  return seen > 3;
}
