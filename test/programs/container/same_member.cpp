// VERBS check
// FLAGS -std=c++20
// SHOWN
// Both sides give the library the same member of a class. What it does there, one side knows as a member of the library's own and the
// other, in code that was compiled before, only as bytes: it is the same container all the same. run does not see what that code writes.
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

struct Index {
  std::recursive_mutex lock;
  std::map<int, int> places;
  int count() {
    std::lock_guard<std::recursive_mutex> guard(lock);
    return (int)places.count(1);  // RACE places
  }
  void add(int i) { places[i] = i; }  // RACE places
};

void first(Index *index) {
  for (int i = 0; i < 3; i++) index->count();
}

void second(Index *index) {
  for (int i = 0; i < 3; i++) index->count();
}

int main() {
  std::vector<std::unique_ptr<Index>> indices;
  for (int i = 0; i < 2; i++) indices.push_back(std::make_unique<Index>());
  std::thread one(first, &*indices[1]);
  std::thread two(second, &*indices[1]);
  indices[1]->add(4);
  one.join();
  two.join();
  return 0;
}
