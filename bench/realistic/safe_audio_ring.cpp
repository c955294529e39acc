// SHOWN
// FLAGS -std=c++20
// An audio path hands move-only blocks through a bounded lock-free ring with plain slots, and each side caches the other side's index in a plain field.
#include <array>
#include <atomic>
#include <cstdio>
#include <memory>
#include <numeric>
#include <thread>
#include <utility>
#include <vector>

using Block = std::unique_ptr<std::vector<int>>;

class BlockRing {
public:
  bool push(Block &block) {
    const auto head = head_.load(std::memory_order_relaxed);
    if (head - seen_tail_ == capacity) { // NORACE // producer's own copy
      seen_tail_ = tail_.load(std::memory_order_acquire);
      if (head - seen_tail_ == capacity) return false;
    }
    slots_[head % capacity] = std::move(block); // NORACE
    head_.store(head + 1, std::memory_order_release);
    return true;
  }

  Block pop() {
    const auto tail = tail_.load(std::memory_order_relaxed);
    if (tail == seen_head_) { // NORACE // consumer's own copy
      seen_head_ = head_.load(std::memory_order_acquire);
      if (tail == seen_head_) return nullptr;
    }
    Block block = std::move(slots_[tail % capacity]); // NORACE
    tail_.store(tail + 1, std::memory_order_release);
    return block;
  }

private:
  static constexpr std::size_t capacity = 8;
  std::array<Block, capacity> slots_;
  std::atomic<std::size_t> head_{0};
  std::size_t seen_tail_ = 0;
  std::atomic<std::size_t> tail_{0};
  std::size_t seen_head_ = 0;
};

int main() {
  auto ring = std::make_unique<BlockRing>();
  constexpr int blocks = 300;
  long played = 0;
  std::thread device([&ring, &played] {
    for (int n = 0; n < blocks;) {
      Block block = ring->pop();
      if (!block) {
        std::this_thread::yield();
        continue;
      }
      played += std::accumulate(block->begin(), block->end(), 0L);
      ++n;
    }
  });
  for (int n = 0; n < blocks; ++n) {
    auto block = std::make_unique<std::vector<int>>(16);
    std::iota(block->begin(), block->end(), n);
    while (!ring->push(block)) std::this_thread::yield();
  }
  device.join();
  std::printf("played %ld\n", played);
}
