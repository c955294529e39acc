// SHOWN
// Threads that are given one element of a vector, by reference or by pointer: main finds the same one there. Another element is another object.
#include <functional>
#include <thread>
#include <vector>

struct Store {
  long value = 0, own = 0;
  void add() {
    value += 1; // RACE value
    own += 1;   // NORACE
  }
  long peek() const {
    return value; // RACE value
  }
};

static void byReference(Store &store) { store.add(); }
static void byPointer(Store *store) {
  store->own += 1; // NORACE
}

int main() {
  std::vector<Store> stores(4);
  std::thread one(byReference, std::ref(stores[1]));
  long seen = stores[1].peek();
  one.join();
  std::thread two(byPointer, &stores[2]);
  seen += stores[3].own; // NORACE
  two.join();
  return seen < 0;
}
