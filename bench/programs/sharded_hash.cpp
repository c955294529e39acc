// A hash table in shards, each behind a lock of its own, as LiteRace's LKRHash: little work between many synchronisations.
// Prints a sum that does not depend on the schedule.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

namespace {

constexpr unsigned kThreads = 2;
constexpr uint64_t kKeys = 1 << 14;

struct Shard {
  std::mutex lock;
  std::unordered_map<uint64_t, uint64_t> values;
};

std::array<Shard, 64> shards;

void add(uint64_t key, uint64_t value) {
  Shard &shard = shards[key * 0x9e3779b97f4a7c15 >> 58];
  std::lock_guard guard(shard.lock);
  shard.values[key] += value;
}

void work(unsigned seed, uint64_t operations) {
  uint64_t state = seed + 1;
  for (uint64_t i = 0; i != operations; ++i) {
    state = state * 6364136223846793005 + 1442695040888963407;
    add(state >> 40 & (kKeys - 1), i % 7);
  }
}

} // namespace

int main(int count, char **arguments) {
  const uint64_t operations = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 2'000'000;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i != kThreads; ++i) threads.emplace_back(work, i, operations);
  for (std::thread &thread : threads) thread.join();
  uint64_t sum = 0;
  for (Shard &shard : shards)
    for (const auto &[key, value] : shard.values) sum += key * value;
  std::printf("%llu\n", static_cast<unsigned long long>(sum));
  return 0;
}
