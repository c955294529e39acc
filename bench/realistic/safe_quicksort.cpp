// SHOWN
// FLAGS -std=c++20
// A parallel sort: each task sorts its own range of one vector, halves are merged after the join.
#include <algorithm>
#include <cstdio>
#include <future>
#include <iterator>
#include <thread>
#include <vector>

template <class It> void parallelSort(It first, It last, int depth) {
  const auto length = std::distance(first, last);
  if (depth == 0 || length < 32) {
    std::sort(first, last); // NORACE
    return;
  }
  It middle = first + length / 2;
  std::future<void> left = std::async(std::launch::async, [=] { parallelSort(first, middle, depth - 1); });
  parallelSort(middle, last, depth - 1);
  left.get();
  std::inplace_merge(first, middle, last); // NORACE
}

int main() {
  std::vector<int> numbers(500);
  unsigned seed = 12345;
  for (int &n : numbers) {
    seed = seed * 1103515245u + 12345u;
    n = static_cast<int>(seed >> 16);
  }
  parallelSort(numbers.begin(), numbers.end(), 2);
  std::printf("%d\n", std::is_sorted(numbers.begin(), numbers.end()));
  return 0;
}
