// FLAGS -std=c++20
// SHOWN
// What the creator does between the start of std::jthreads and the end of their scope is beside them; what follows comes after.
#include <string>
#include <thread>
#include <unordered_map>

struct Store {
  int count = 0, sum = 0;
  std::string text;
  std::unordered_map<int, int> names;
};

int main() {
  Store store;
  {
    std::jthread one([&] { store.count += 1; });           // RACE count
    std::jthread two([&] { store.text += 'x'; });          // RACE text
    std::jthread three([&] { store.names.emplace(1, 1); }); // RACE names
    store.count = 7;                                       // RACE count
    store.sum = static_cast<int>(store.text.size());       // RACE text
    store.sum += static_cast<int>(store.names.size());     // RACE names
  }
  store.sum += store.count;                         // NORACE
  store.sum += static_cast<int>(store.text.size()); // NORACE
  return store.sum == 12345;
}
