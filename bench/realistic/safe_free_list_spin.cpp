// SHOWN
// FLAGS -std=c++20
// A packet allocator guards its intrusive free list with an atomic_flag spin lock that waits on the flag, used through std::scoped_lock.
#include <atomic>
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

class SpinLock {
public:
  void lock() noexcept {
    while (flag_.test_and_set(std::memory_order_acquire)) flag_.wait(true, std::memory_order_relaxed);
  }
  bool try_lock() noexcept { return !flag_.test_and_set(std::memory_order_acquire); }
  void unlock() noexcept {
    flag_.clear(std::memory_order_release);
    flag_.notify_one();
  }

private:
  std::atomic_flag flag_;
};

struct Packet {
  Packet *next = nullptr;
  unsigned length = 0;
  unsigned checksum = 0;
};

class PacketPool {
public:
  explicit PacketPool(std::size_t n) : storage_(n) {
    for (auto &p : storage_) {
      p.next = free_;
      free_ = &p;
    }
  }

  Packet *take() {
    std::scoped_lock lock(spin_);
    Packet *p = free_;
    if (p != nullptr) {
      free_ = p->next; // NORACE
      ++taken_;
    }
    return p;
  }

  bool give_back(Packet *p) {
    std::unique_lock lock(spin_, std::try_to_lock);
    if (!lock.owns_lock()) lock.lock();
    p->next = free_;
    free_ = p;
    return --taken_ == 0;
  }

private:
  SpinLock spin_;
  Packet *free_ = nullptr;
  int taken_ = 0;
  std::vector<Packet> storage_;
};

int main() {
  auto pool = std::make_unique<PacketPool>(3);
  std::atomic<int> sent{0}, dropped{0};
  {
    std::vector<std::jthread> ports;
    for (unsigned port = 0; port < 4; ++port)
      ports.emplace_back([&, port] {
        for (unsigned i = 0; i < 200; ++i) {
          Packet *p = pool->take();
          if (p == nullptr) {
            dropped++;
            continue;
          }
          p->length = 64 + port; // NORACE // a packet taken is ours until given back
          p->checksum ^= p->length * i;
          sent++;
          pool->give_back(p);
        }
      });
  }
  std::printf("handled %d\n", sent.load() + dropped.load());
}
