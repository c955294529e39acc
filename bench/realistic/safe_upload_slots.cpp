// SHOWN
// FLAGS -std=c++20
// Upload slots are enum-class state machines: whoever wins the compare-exchange owns the plain fields until it stores the next state.
#include <array>
#include <atomic>
#include <bitset>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

enum class SlotState : unsigned char { empty, filling, full, sending };

struct Slot {
  std::atomic<SlotState> state{SlotState::empty};
  std::string payload;
  std::bitset<16> flags;
  unsigned reuse = 0;

  bool claim(SlotState from, SlotState to) {
    return state.compare_exchange_strong(from, to, std::memory_order_acquire, std::memory_order_relaxed);
  }
  void advance(SlotState to) { state.store(to, std::memory_order_release); }
};

class SlotTable {
public:
  bool offer(std::string_view payload, std::size_t flag) {
    for (auto &slot : slots_) {
      if (!slot.claim(SlotState::empty, SlotState::filling)) continue;
      slot.payload.assign(payload); // NORACE
      slot.flags.set(flag % slot.flags.size());
      slot.reuse++;
      slot.advance(SlotState::full);
      return true;
    }
    return false;
  }

  std::size_t send_one() {
    for (auto &slot : slots_) {
      if (!slot.claim(SlotState::full, SlotState::sending)) continue;
      std::size_t bytes = slot.payload.size() + slot.flags.count(); // NORACE
      slot.payload.clear();
      slot.flags.reset();
      slot.advance(SlotState::empty);
      return bytes;
    }
    return 0;
  }

  unsigned reuse() const {
    unsigned n = 0;
    for (const auto &slot : slots_) n += slot.reuse; // NORACE // callers have joined everyone
    return n;
  }

private:
  std::array<Slot, 3> slots_;
};

int main() {
  auto table = std::make_unique<SlotTable>();
  std::atomic<int> unsent{240};
  std::atomic<std::size_t> bytes{0};
  {
    std::vector<std::jthread> threads;
    for (unsigned p = 0; p < 2; ++p)
      threads.emplace_back([&, p] {
        for (unsigned i = 0; i < 120; ++i)
          while (!table->offer("chunk " + std::to_string(i % 10), p + i)) std::this_thread::yield();
      });
    for (int s = 0; s < 2; ++s)
      threads.emplace_back([&] {
        while (unsent.load() > 0) {
          if (std::size_t n = table->send_one(); n > 0) {
            bytes += n;
            unsent--;
          } else {
            std::this_thread::yield();
          }
        }
      });
  }
  std::printf("%zu bytes through %u fills\n", bytes.load(), table->reuse());
}
