// SHOWN
// FLAGS -std=c++20
// A ring for one producer and one consumer with atomic indices, and one for many with semaphores.
#include <atomic>
#include <cstdio>
#include <latch>
#include <mutex>
#include <semaphore>
#include <thread>
#include <vector>

struct Sample {
  int channel = 0;
  double value = 0;
};

template <class T, std::size_t N> class SpscRing {
public:
  bool push(const T &item) {
    const std::size_t tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_.load(std::memory_order_acquire) == N) return false;
    slots_[tail % N] = item; // NORACE
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }
  bool pop(T &item) {
    const std::size_t head = head_.load(std::memory_order_relaxed);
    if (head == tail_.load(std::memory_order_acquire)) return false;
    item = slots_[head % N]; // NORACE
    head_.store(head + 1, std::memory_order_release);
    return true;
  }

private:
  T slots_[N];
  alignas(64) std::atomic<std::size_t> head_{0};
  alignas(64) std::atomic<std::size_t> tail_{0};
};

class BoundedBuffer {
public:
  void put(int item) {
    free_.acquire();
    {
      std::lock_guard<std::mutex> guard(mutex_);
      items_[in_++ % 8] = item; // NORACE
    }
    used_.release();
  }
  int take() {
    used_.acquire();
    int item;
    {
      std::lock_guard<std::mutex> guard(mutex_);
      item = items_[out_++ % 8]; // NORACE
    }
    free_.release();
    return item;
  }

private:
  std::counting_semaphore<8> free_{8}, used_{0};
  std::mutex mutex_;
  int items_[8] = {};
  unsigned in_ = 0, out_ = 0;
};

int main() {
  SpscRing<Sample, 16> ring;
  BoundedBuffer buffer;
  std::latch done(2);
  int rounded = 0;
  double sum = 0;
  std::thread consumer([&] {
    Sample sample;
    for (int got = 0; got < 100;) {
      if (!ring.pop(sample)) {
        std::this_thread::yield();
        continue;
      }
      sum += sample.value; // NORACE
      buffer.put(static_cast<int>(sample.value));
      ++got;
    }
    done.count_down();
  });
  std::thread rounder([&] {
    for (int i = 0; i < 100; ++i) rounded += buffer.take(); // NORACE
    done.count_down();
  });
  for (int i = 0; i < 100;)
    if (ring.push(Sample{i % 4, i + 0.25}))
      ++i;
    else
      std::this_thread::yield();
  done.wait();
  std::printf("%g %d\n", sum, rounded); // NORACE
  consumer.join();
  rounder.join();
  return 0;
}
