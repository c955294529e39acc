// Two containers of one type, each filled by two threads: one race for each, and none between them.
#include <thread>
#include <vector>

static std::vector<int> odd, even;

static void addOdd() {
  odd.push_back(1); // RACE odd SELF
}

static void addEven() {
  even.push_back(2); // RACE even SELF
}

int main() {
  odd.reserve(100);
  even.reserve(100);
  auto work = [] {
    addOdd();
    addEven();
  };
  std::thread first(work), second(work);
  first.join();
  second.join();
  return static_cast<int>(odd.size() + even.size()) > 100;
}
