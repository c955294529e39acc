// VERBS check run
// FLAGS -std=c++20
// SHOWN
// Helpers change a container that they are given, by elements and by iterators: a thread's own one is no more shared there than where it is made.
#include <list>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

using Counts = std::map<int, int>;

static std::mutex mutex;
static Counts total;
static std::vector<int> sums(8);
static std::vector<long> seen(8);

static void tally(Counts &counts, int key) {
  counts[key] += 1; // NORACE
}

static void raise(std::vector<int> &values) {
  for (int &each : values) each += 1; // NORACE
}

static void raiseList(std::list<int> &values) {
  for (int &each : values) each += 1; // NORACE
}

static void lower(std::vector<long> &values) {
  for (long &each : values) each -= 1; // RACE lowered SELF
}

static void add(std::vector<int> &values, int i) {
  values[i] += 1; // RACE added SELF
}

class Counter {
public:
  void note(int key) {
    counts_[key] += 1;    // NORACE
    last_[key % 4] = key; // NORACE
  }
  void merge() {
    std::lock_guard<std::mutex> guard(mutex);
    for (auto &[key, count] : counts_) total[key] += count; // NORACE
  }

private:
  Counts counts_;
  std::vector<int> last_ = std::vector<int>(4);
};

static void work() {
  Counts counts;
  std::vector<int> values(8);
  std::list<int> items = {1, 2, 3};
  Counter counter;
  for (int i = 0; i < 20; ++i) {
    tally(counts, i % 3);
    raise(values);
    add(values, i % 8);
    raiseList(items);
    counter.note(i);
    lower(seen);
    add(sums, i % 8);
  }
  counter.merge();
  std::lock_guard<std::mutex> guard(mutex);
  for (auto &[key, count] : counts) tally(total, key); // NORACE
}

int main() {
  std::thread a(work), b(work);
  a.join();
  b.join();
  return total.empty() ? 1 : 0;
}
