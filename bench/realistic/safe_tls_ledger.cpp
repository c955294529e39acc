// SHOWN
// FLAGS -std=c++20
// Threads tally into thread_local ledgers, flush them when a timed mutex happens to be free, and merge the remainder in the thread_local destructor.
#include <chrono>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

class Totals {
public:
  using Tally = std::map<std::string, long>;

  bool try_merge(Tally &tally) {
    std::unique_lock lock(mu_, std::chrono::microseconds(20));
    if (!lock) {
      misses_++;
      return false;
    }
    fold(tally);
    return true;
  }

  void merge(Tally &tally) {
    std::lock_guard lock(mu_);
    fold(tally);
  }

  // For after the workers have been joined.
  long of(const std::string &what) const {
    auto it = totals_.find(what); // NORACE
    return it == totals_.end() ? 0 : it->second;
  }

private:
  void fold(Tally &tally) {
    for (const auto &[what, n] : tally) totals_[what] += n;
    tally.clear();
  }

  std::timed_mutex mu_;
  Tally totals_;
  static thread_local int misses_;
};

thread_local int Totals::misses_ = 0;

static Totals totals;

struct Ledger {
  Totals::Tally tally;
  ~Ledger() { totals.merge(tally); }
};

static void record(const std::string &what, long amount) {
  thread_local Ledger ledger;
  ledger.tally[what] += amount; // NORACE
  if (ledger.tally.size() >= 3) totals.try_merge(ledger.tally);
}

int main() {
  {
    std::vector<std::jthread> clerks;
    for (int c = 0; c < 4; ++c)
      clerks.emplace_back([c] {
        static const char *const kinds[] = {"rent", "fuel", "food", "misc"};
        for (int i = 0; i < 120; ++i) record(kinds[(i + c) % 4], 1 + i % 3);
      });
  }
  std::printf("rent %ld, fuel %ld, food %ld, misc %ld\n", totals.of("rent"), totals.of("fuel"), totals.of("food"),
              totals.of("misc"));
}
