#include "worker_pool.h"

#include <utility>

namespace ticketing {

WorkerPool::WorkerPool(unsigned workers, Service serve) : serve_(std::move(serve)) {
  for (unsigned i = 0; i < workers; ++i) threads_.emplace_back([this] { work(); });
}

WorkerPool::~WorkerPool() { finish(); }

void WorkerPool::submit(const Order &order) {
  {
    std::lock_guard hold(gate_);
    queue_.push_back(order);
  }
  changed_.notify_one();
}

void WorkerPool::finish() {
  {
    std::lock_guard hold(gate_);
    closed_ = true;
  }
  changed_.notify_all();
  for (std::thread &thread : threads_) thread.join();
  threads_.clear();
}

void WorkerPool::work() {
  Order order;
  while (next(order)) serve_(order);
}

bool WorkerPool::next(Order &order) {
  std::unique_lock hold(gate_);
  changed_.wait(hold, [this] { return closed_ || !queue_.empty(); });
  if (queue_.empty()) return false;
  order = queue_.front();
  queue_.pop_front();
  return true;
}

} // namespace ticketing
