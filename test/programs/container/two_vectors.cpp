// VERBS check
// FLAGS -std=c++20
// SHOWN
// What two vectors keep is apart, though the library gets the memory of both in one place; what one keeps is not.
#include <cstdio>
#include <thread>
#include <vector>

struct Stage {
  std::vector<int> in = std::vector<int>(8), out = std::vector<int>(8);
};

int main() {
  std::vector<int> squares(4), halves(4);
  Stage stage;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++)
    threads.emplace_back([&, i] {
      squares[i] = i * i;             // NORACE
      halves[i / 2] += i;             // RACE half SELF
      stage.out[i] = stage.in[2 * i]; // NORACE
    });
  for (auto &thread : threads) thread.join();
  std::printf("%d %d\n", squares[3], stage.out[2]);
}
