// VERBS check
// FLAGS -std=c++20
// SHOWN
// Tasks of std::async that get a number each, and choose by it what they write.
#include <cstdio>
#include <future>
#include <vector>

using Tasks = std::vector<std::future<void>>;

static void oneEach() {
  std::vector<int> sums(4), halves(4);
  Tasks tasks;
  for (int i = 0; i < 4; i++)
    tasks.push_back(std::async(std::launch::async, [&, i] {
      sums[i] = i * i;    // NORACE
      halves[i / 2] += i; // RACE half SELF
    }));
  for (auto &task : tasks) task.get();
  std::printf("%d\n", sums[3]); // NORACE
}

static void tooEarly() {
  std::vector<int> squares(4);
  Tasks tasks;
  for (int i = 0; i < 4; i++)
    tasks.push_back(std::async(std::launch::async, [&squares, i] { squares[i] = i * i; })); // RACE early
  std::printf("%d\n", squares[1]);                                                          // RACE early
  for (auto &task : tasks) task.get();
}

int main() {
  oneEach();
  tooEarly();
}
