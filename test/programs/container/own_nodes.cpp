// A map on a thread's stack keeps its elements in nodes, which are the thread's own.
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

using Counts = std::map<std::string, int>;

class Total {
public:
  void add(const Counts &counts) {
    std::lock_guard hold(gate_);
    for (const auto &[word, count] : counts) counts_[word] += count; // NORACE under the lock
  }
  void note() { ++notes_; } // RACE notes SELF
  std::size_t size() const { return counts_.size(); }

private:
  std::mutex gate_;
  Counts counts_;
  int notes_ = 0;
};

class Mapper {
public:
  explicit Mapper(Total &total) : total_(total) {}
  void operator()(const std::vector<std::string> &words) {
    Counts counts;
    for (const std::string &word : words) ++counts[word]; // NORACE a map of its own
    total_.add(counts);
    total_.note();
  }

private:
  Total &total_;
};

} // namespace

int main() {
  const std::vector<std::string> texts[] = {{"a", "b"}, {"b", "c"}};
  Total total;
  std::vector<Mapper> mappers(2, Mapper(total));
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i)
    threads.emplace_back([&, i] {
      mappers[i](texts[i]);
    });
  for (auto &thread : threads) thread.join();
  std::printf("%zu\n", total.size());
}
