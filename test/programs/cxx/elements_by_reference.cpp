// Threads that get an element each, by std::ref, by an iterator, or as what was just added; what elements point to is shared.
#include <cstdio>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace {

struct Part {
  int from = 0, to = 0;
  long sum = 0;
  long *total = nullptr;
};

void add(Part &part) {
  for (int i = part.from; i < part.to; ++i) part.sum += i; // NORACE each has its own
  *part.total += part.sum;                                 // RACE total SELF
}

void addAgain(Part *part) { part->sum += part->to; } // RACE again SELF

struct Worker {
  void run() {
    for (int i = 0; i < 9; ++i) sum += i; // NORACE each has its own
  }
  long sum = 0;
};

void joinAll(std::vector<std::thread> &threads) {
  for (auto &thread : threads) thread.join();
  threads.clear();
}

} // namespace

int main() {
  long total = 0;
  std::vector<Part> parts;
  for (int t = 0; t < 3; ++t) parts.push_back({t * 16, (t + 1) * 16, 0, &total});
  std::vector<std::thread> threads;
  for (auto &part : parts) threads.emplace_back(add, std::ref(part));
  joinAll(threads);
  for (std::size_t i = 0; i < parts.size(); ++i) threads.push_back(std::thread(add, std::ref(parts[i])));
  joinAll(threads);
  for (std::size_t i = 0; i < parts.size(); ++i) threads.emplace_back(addAgain, &parts[0]);
  joinAll(threads);
  std::vector<std::unique_ptr<Worker>> workers;
  for (int i = 0; i < 3; ++i) {
    workers.push_back(std::make_unique<Worker>());
    threads.emplace_back(&Worker::run, workers.back().get());
  }
  joinAll(threads);
  for (auto &worker : workers) threads.emplace_back([&worker] { worker->run(); });
  joinAll(threads);
  std::printf("%ld %ld\n", total, workers[0]->sum);
}
