// A fixed number of threads that serve orders from one queue. Correct: everything shared is guarded by `gate_`.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "order.h"

namespace ticketing {

class WorkerPool {
public:
  using Service = std::function<void(const Order &)>;

  WorkerPool(unsigned workers, Service serve);
  ~WorkerPool();

  void submit(const Order &order);
  void finish(); // serves what is queued, then stops the workers

private:
  void work();
  bool next(Order &order);

  Service serve_;
  std::mutex gate_;
  std::condition_variable changed_;
  std::deque<Order> queue_;
  bool closed_ = false;
  std::vector<std::thread> threads_;
};

} // namespace ticketing
