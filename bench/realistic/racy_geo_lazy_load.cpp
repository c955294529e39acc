// SHOWN
// FLAGS -std=c++20
// A geo lookup loads its default region on first use with double-checked locking over a plain flag.
#include <cstdio>
#include <future>
#include <mutex>
#include <vector>

class GeoIndex {
public:
  int default_region() {
    if (!loaded_) { // RACE flag
      std::lock_guard lock(mu_);
      if (!loaded_) {
        region_ = parse("eu-west-4"); // RACE value
        loads_++;
        loaded_ = true; // RACE flag
      }
    }
    return region_; // RACE value
  }

  int loads() {
    std::lock_guard lock(mu_);
    return loads_;
  }

private:
  static int parse(const char *text) {
    int h = 0;
    for (; *text; ++text) h = h * 31 + *text;
    return h & 0xffff;
  }

  std::mutex mu_;
  bool loaded_ = false;
  int region_ = 0;
  int loads_ = 0;
};

int main() {
  int wrong = 0, loads = 0;
  for (int round = 0; round < 20; ++round) {
    GeoIndex index;
    std::vector<std::future<int>> answers;
    for (int i = 0; i < 3; ++i)
      answers.push_back(std::async(std::launch::async, [&index] { return index.default_region(); }));
    int first = answers.front().get();
    for (std::size_t i = 1; i < answers.size(); ++i)
      if (answers[i].get() != first) ++wrong;
    loads += index.loads();
  }
  std::printf("loads %d, wrong %d\n", loads, wrong);
}
