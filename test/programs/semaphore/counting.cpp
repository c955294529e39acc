// FLAGS -std=c++20
// std::counting_semaphore hands slots over, and who waits for an atomic to change comes after who changed it.
#include <atomic>
#include <cstdio>
#include <semaphore>
#include <thread>

static std::counting_semaphore<4> filled(0), room(4);
static int ring[4];
static unsigned written, taken;
static std::atomic<bool> done{false};
static int message;
static int naked;

int main() {
  std::thread producer([] {
    for (int i = 0; i < 20; ++i) {
      room.acquire();
      ring[written++ % 4] = i; // NORACE
      filled.release();
    }
    message = 9; // NORACE
    naked = 1;   // RACE naked
    done.store(true);
    done.notify_one();
  });
  std::thread consumer([] {
    long sum = 0;
    for (int i = 0; i < 20; ++i) {
      filled.acquire();
      sum += ring[taken++ % 4]; // NORACE
      room.release();
    }
    done.wait(false);
    sum += message; // NORACE
    std::printf("%ld\n", sum);
  });
  int seen = naked; // RACE naked
  producer.join();
  consumer.join();
  std::printf("%d\n", seen);
}
