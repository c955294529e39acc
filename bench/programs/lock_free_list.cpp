// A sorted linked list without locks (insertions by compare-exchange, marks instead of removal), as LiteRace's LFList: atomics and
// nothing else. Prints a sum that does not depend on the schedule.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

constexpr unsigned kThreads = 2;
constexpr uint64_t kKeys = 256;

struct Node {
  uint64_t key;
  std::atomic<uint64_t> count;
  std::atomic<Node *> next;
};

Node head{0, 0, nullptr};

// The last node before `key`.
Node *before(uint64_t key) {
  Node *at = &head;
  for (Node *next = at->next.load(std::memory_order_acquire); next && next->key < key;
       next = at->next.load(std::memory_order_acquire))
    at = next;
  return at;
}

void insert(uint64_t key) {
  Node *made = nullptr;
  while (true) {
    Node *at = before(key);
    Node *next = at->next.load(std::memory_order_acquire);
    if (next && next->key < key) continue;
    if (next && next->key == key) {
      next->count.fetch_add(1, std::memory_order_acq_rel);
      delete made;
      return;
    }
    if (!made) made = new Node{key, 1, nullptr};
    made->next.store(next, std::memory_order_relaxed);
    if (at->next.compare_exchange_strong(next, made, std::memory_order_acq_rel)) return;
  }
}

void work(unsigned seed, uint64_t operations) {
  uint64_t state = seed + 1;
  for (uint64_t i = 0; i != operations; ++i) {
    state = state * 6364136223846793005 + 1442695040888963407;
    insert(state >> 40 & (kKeys - 1));
  }
}

} // namespace

int main(int count, char **arguments) {
  const uint64_t operations = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 200'000;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i != kThreads; ++i) threads.emplace_back(work, i, operations);
  for (std::thread &thread : threads) thread.join();
  uint64_t sum = 0;
  for (Node *node = head.next; node; node = node->next) sum += node->key * node->count;
  std::printf("%llu\n", static_cast<unsigned long long>(sum));
  return 0;
}
