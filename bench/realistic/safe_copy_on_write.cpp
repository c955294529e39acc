// SHOWN
// FLAGS -std=c++20
// Copy on write: readers take a snapshot under a short lock, writers replace it by a changed copy.
#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

class Registry {
public:
  using Table = std::map<std::string, int>;

  Registry() : table_(std::make_shared<const Table>()) {}

  std::shared_ptr<const Table> snapshot() const {
    std::lock_guard<std::mutex> guard(pointer_);
    return table_;
  }
  template <class Change> void modify(Change change) {
    std::lock_guard<std::mutex> one(writers_);
    auto copy = std::make_shared<Table>(*snapshot());
    change(*copy); // NORACE
    std::lock_guard<std::mutex> guard(pointer_);
    table_ = std::move(copy);
    ++version_;
  }
  int version() const {
    std::lock_guard<std::mutex> guard(pointer_);
    return version_;
  }

private:
  mutable std::mutex pointer_;
  std::mutex writers_;
  std::shared_ptr<const Table> table_;
  int version_ = 0;
};

static long lookUp(const Registry &registry, int rounds) {
  long sum = 0;
  for (int i = 0; i < rounds; ++i) {
    auto table = registry.snapshot();
    for (const auto &[name, value] : *table) sum += value + static_cast<long>(name.size()); // NORACE
    if (auto it = table->find("a3"); it != table->end()) sum += it->second;                 // NORACE
  }
  return sum;
}

int main() {
  Registry registry;
  std::vector<std::thread> threads;
  std::vector<long> sums(2);
  for (int i = 0; i < 2; ++i) threads.emplace_back([&registry, &sums, i] { sums[i] = lookUp(registry, 40); });
  for (int w = 0; w < 2; ++w)
    threads.emplace_back([&registry, w] {
      for (int i = 0; i < 10; ++i)
        registry.modify([&](Registry::Table &table) {
          table[(w ? "b" : "a") + std::to_string(i)] = i; // NORACE
        });
    });
  for (auto &thread : threads) thread.join();
  std::printf("%d %zu %d\n", registry.version(), registry.snapshot()->size(), sums[0] + sums[1] >= 0);
  return 0;
}
