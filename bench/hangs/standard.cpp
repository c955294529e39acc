// C++20: barriers, semaphores and locks with deadlines, stop callbacks, shared mutexes, initialisation that throws, several locks at once.
#include <atomic>
#include <barrier>
#include <chrono>
#include <latch>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <vector>

namespace {

using namespace std::chrono_literals;

constexpr int kThreads = 4;
std::mutex gate, other;
std::timed_mutex timed;
std::shared_timed_mutex book;
std::once_flag once;
std::binary_semaphore slot(1);
int shared, attempts, pages;

void bump() {
  std::scoped_lock hold(gate, other);
  ++shared; // aimed at
}

// The first attempt fails, and another thread or round makes the next.
void initialise() {
  try {
    std::call_once(once, [] {
      if (++attempts == 1) throw std::runtime_error("not yet");
    });
  } catch (const std::runtime_error &) {
    initialise();
  }
}

int &local() {
  static int value = (std::this_thread::yield(), 3);
  return value;
}

void work(std::barrier<> &rounds) {
  for (int round = 0; round != 3; ++round) {
    rounds.arrive_and_wait();
    bump();
  }
  initialise();
  if (timed.try_lock_for(1ms)) timed.unlock();
  if (std::unique_lock hold(book, 1ms); hold) ++pages;
  if (std::shared_lock hold(book, 1ms); hold && local() != 3) std::terminate();
  if (slot.try_acquire_for(1ms)) slot.release();
}

bool stopAll() {
  std::atomic<int> stopped = 0;
  std::latch waiting(2);
  std::vector<std::jthread> threads;
  for (int i = 0; i != 2; ++i)
    threads.emplace_back([&](std::stop_token stop) {
      std::stop_callback note(stop, [&] { ++stopped; });
      waiting.count_down();
      while (!stop.stop_requested()) std::this_thread::yield();
    });
  waiting.wait();
  threads.clear();
  return stopped == 2;
}

} // namespace

int main() {
  std::barrier rounds(kThreads);
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i != kThreads; ++i) threads.emplace_back([&] { work(rounds); });
  }
  return stopAll() && shared == 3 * kThreads && attempts == 2 ? 0 : 1;
}
