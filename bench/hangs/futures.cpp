// std::async, promises, std::condition_variable_any with a stop, a latch, threads that outlive main.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <future>
#include <latch>
#include <mutex>
#include <semaphore>
#include <stop_token>
#include <thread>
#include <vector>

namespace {

std::mutex gate;
int shared;

int bump(int value) {
  std::lock_guard hold(gate);
  ++shared; // aimed at
  return value;
}

bool stopped() {
  std::condition_variable_any changed;
  std::mutex own;
  bool ended = false;
  std::jthread waiting([&](std::stop_token stop) {
    std::unique_lock hold(own);
    ended = !changed.wait(hold, stop, [] { return false; });
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  waiting.request_stop();
  waiting.join();
  return ended;
}

} // namespace

int main() {
  std::vector<std::future<int>> futures;
  for (int i = 0; i < 3; ++i) futures.push_back(std::async(std::launch::async, bump, i));
  std::promise<int> promise;
  std::latch latch(2);
  std::counting_semaphore<4> slots(0);
  std::atomic<int> word = 0;
  std::thread other([&] {
    latch.arrive_and_wait();
    slots.acquire();
    word.wait(0);
    promise.set_value(bump(4));
  });
  latch.arrive_and_wait();
  slots.release();
  word = 1;
  word.notify_all();
  int sum = promise.get_future().get();
  for (auto &future : futures) sum += future.get();
  other.join();
  if (!stopped()) return 1;
  std::thread([] {
    for (;;) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }).detach();
  return sum == 7 && shared == 4 ? 0 : 1;
}
