// VERBS check run
// SHOWN
// Two vectors of one type have nothing in common, though the library gets the memory of both in one place.
#include <thread>
#include <vector>

struct Stage {
  std::vector<int> in = std::vector<int>(8), out = std::vector<int>(8);
};

static std::vector<int> sums(8), seen(8);
static Stage stage;

static void add(std::vector<int> &values, int i) {
  values[i] += 1; // RACE sums
}

static void first() {
  for (int i = 0; i < 8; ++i) {
    seen[i] = 1;     // NORACE
    stage.in[i] = 1; // NORACE
    add(sums, i);
  }
}

static void second() {
  for (int i = 0; i < 8; ++i) {
    sums[i] = 2;      // RACE sums
    stage.out[i] = 2; // NORACE
  }
}

int main() {
  std::thread a(first), b(second);
  a.join();
  b.join();
  return 0;
}
