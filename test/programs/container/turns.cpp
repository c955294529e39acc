// VERBS check
// FLAGS -std=c++20
// SHOWN
// Rings of one producer and one consumer: each waits for the number that the other one moves on behind its access. Without the wait of one
// side, with a number that is moved on too early or that orders nothing, or with two producers, they race.
#include <atomic>
#include <cstddef>
#include <thread>

constexpr int kItems = 50;
constexpr std::size_t kSlots = 8;

class Ring {
public:
  bool push(int item) {
    const std::size_t tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_.load(std::memory_order_acquire) == kSlots) return false;
    slots_[tail % kSlots] = item; // NORACE
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }
  bool pop(int &item) {
    const std::size_t head = head_.load(std::memory_order_relaxed);
    if (head == tail_.load(std::memory_order_acquire)) return false;
    item = slots_[head % kSlots]; // NORACE
    head_.store(head + 1, std::memory_order_release);
    return true;
  }

private:
  int slots_[kSlots] = {};
  std::atomic<std::size_t> head_{0}, tail_{0};
};

// Looks at the other one's number only if its copy does not suffice.
class Sparing {
public:
  bool push(int item) {
    const std::size_t tail = tail_.load(std::memory_order_relaxed);
    if (tail - knownHead_ == kSlots) {
      knownHead_ = head_.load(std::memory_order_acquire); // NORACE
      if (tail - knownHead_ == kSlots) return false;
    }
    slots_[tail % kSlots] = item; // NORACE
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }
  bool pop(int &item) {
    const std::size_t head = head_.load(std::memory_order_relaxed);
    if (head == knownTail_) {
      knownTail_ = tail_.load(std::memory_order_acquire); // NORACE
      if (head == knownTail_) return false;
    }
    item = slots_[head % kSlots]; // NORACE
    head_.store(head + 1, std::memory_order_release);
    return true;
  }

private:
  int slots_[kSlots] = {};
  std::atomic<std::size_t> head_{0}, tail_{0};
  std::size_t knownHead_ = 0, knownTail_ = 0;
};

// Asks by functions; all operations are in one order.
class Asking {
public:
  bool push(int item) {
    if (isFull()) return false;
    slots_[tail_] = item; // NORACE
    tail_ = (tail_ + 1) % kSlots;
    return true;
  }
  bool pop(int &item) {
    if (isEmpty()) return false;
    item = slots_[head_]; // NORACE
    head_ = (head_ + 1) % kSlots;
    return true;
  }

private:
  bool isEmpty() const { return head_ == tail_; }
  bool isFull() const { return (tail_ + 1) % kSlots == head_; }

  int slots_[kSlots] = {};
  std::atomic<std::size_t> head_{0}, tail_{0};
};

// Nobody asks whether there is room.
class Rash {
public:
  bool push(int item) {
    const std::size_t tail = tail_.load(std::memory_order_relaxed);
    slots_[tail % kSlots] = item; // RACE rash
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }
  bool pop(int &item) {
    const std::size_t head = head_.load(std::memory_order_relaxed);
    if (head == tail_.load(std::memory_order_acquire)) return false;
    item = slots_[head % kSlots]; // RACE rash
    head_.store(head + 1, std::memory_order_release);
    return true;
  }

private:
  int slots_[kSlots] = {};
  std::atomic<std::size_t> head_{0}, tail_{0};
};

// Gives the slot back before it has read it.
class Early {
public:
  bool push(int item) {
    const std::size_t tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_.load(std::memory_order_acquire) == kSlots) return false;
    slots_[tail % kSlots] = item; // RACE early
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }
  bool pop(int &item) {
    const std::size_t head = head_.load(std::memory_order_relaxed);
    if (head == tail_.load(std::memory_order_acquire)) return false;
    head_.store(head + 1, std::memory_order_release);
    item = slots_[head % kSlots]; // RACE early
    return true;
  }

private:
  int slots_[kSlots] = {};
  std::atomic<std::size_t> head_{0}, tail_{0};
};

// The producer's number orders nothing.
class Relaxed {
public:
  bool push(int item) {
    const std::size_t tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_.load(std::memory_order_acquire) == kSlots) return false;
    slots_[tail % kSlots] = item; // RACE relaxed
    tail_.store(tail + 1, std::memory_order_relaxed);
    return true;
  }
  bool pop(int &item) {
    const std::size_t head = head_.load(std::memory_order_relaxed);
    if (head == tail_.load(std::memory_order_acquire)) return false;
    item = slots_[head % kSlots]; // RACE relaxed
    head_.store(head + 1, std::memory_order_release);
    return true;
  }

private:
  int slots_[kSlots] = {};
  std::atomic<std::size_t> head_{0}, tail_{0};
};

// Two producers.
class Crowded {
public:
  bool push(int item) {
    const std::size_t tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_.load(std::memory_order_acquire) == kSlots) return false;
    slots_[tail % kSlots] = item; // RACE crowd SELF
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }

private:
  int slots_[kSlots] = {};
  std::atomic<std::size_t> head_{0}, tail_{0};
};

template <class Kind> static long pass(Kind &ring) {
  std::thread producer([&ring] {
    for (int i = 0; i < kItems;)
      if (ring.push(i))
        ++i;
      else
        std::this_thread::yield();
  });
  long sum = 0;
  int item = 0;
  for (int got = 0; got < kItems;)
    if (ring.pop(item)) {
      sum += item;
      ++got;
    } else {
      std::this_thread::yield();
    }
  producer.join();
  return sum;
}

int main() {
  Ring ring;
  Sparing sparing;
  Asking asking;
  Rash rash;
  Early early;
  Relaxed relaxed;
  Crowded crowded;
  long sum = pass(ring) + pass(sparing) + pass(asking) + pass(rash) + pass(early) + pass(relaxed);
  std::thread first([&crowded] { crowded.push(1); }), second([&crowded] { crowded.push(2); });
  first.join();
  second.join();
  return sum == 0;
}
