// std::barrier parts phases, and std::latch tells that all are done: neither is a lock.
// FLAGS -std=c++20
#include <barrier>
#include <cstdio>
#include <latch>
#include <thread>

namespace {

constexpr int kThreads = 3;

int cells[kThreads];
int sums[kThreads];
int arrived = 0;

void work(std::barrier<> &phase, std::latch &done, int number) {
  cells[number] = number + 1; // NORACE one element per thread
  phase.arrive_and_wait();
  int sum = 0;
  for (int cell : cells) sum += cell; // NORACE written in the phase before
  ++arrived;                          // RACE arrived SELF
  sums[number] = sum;                 // NORACE read when all are done
  done.count_down();
}

} // namespace

int main() {
  std::barrier phase(kThreads);
  std::latch done(kThreads);
  std::jthread first(work, std::ref(phase), std::ref(done), 0);
  std::jthread second(work, std::ref(phase), std::ref(done), 1);
  std::jthread third(work, std::ref(phase), std::ref(done), 2);
  done.wait();
  std::printf("%d %d %d %d\n", sums[0], sums[1], sums[2], arrived); // NORACE the latch was waited for
}
