// VERBS check
// FLAGS -std=c++20
// SHOWN
// Algorithms get iterators, for which the library has words of its own: races on what they lead to are shown all the same.
#include <algorithm>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

static std::vector<int> shared(64);
static std::string text = "abc";

struct Store {
  std::vector<int> values = std::vector<int>(64);
  void sort() { std::sort(values.begin(), values.end()); } // RACE member SELF
  int sum() const { return std::accumulate(values.begin(), values.end(), 0); }
};

static Store store;

static void fill() { std::fill(shared.begin(), shared.end(), 1); } // RACE fill SELF

static void append() { text += "x"; } // RACE text SELF

static void work() { fill(); append(); store.sort(); }

int main() {
  std::thread a(work), b(work);
  a.join(); b.join();
  return store.sum();
}
