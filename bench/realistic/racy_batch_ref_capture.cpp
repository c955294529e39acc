// SHOWN
// FLAGS -std=c++20
// An uploader posts jobs to a pool; the job captures the loop's running offset by reference while the loop moves on.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

class Pool {
public:
  explicit Pool(int n) {
    for (int i = 0; i < n; ++i) threads_.emplace_back([this] { loop(); });
  }
  void post(std::function<void()> job) {
    {
      std::lock_guard lock(mu_);
      jobs_.push_back(std::move(job));
    }
    cv_.notify_one();
  }
  void drain() {
    {
      std::lock_guard lock(mu_);
      closed_ = true;
    }
    cv_.notify_all();
    for (auto &t : threads_) t.join();
    threads_.clear();
  }

private:
  void loop() {
    for (;;) {
      std::unique_lock lock(mu_);
      cv_.wait(lock, [this] { return closed_ || !jobs_.empty(); });
      if (jobs_.empty()) return;
      auto job = std::move(jobs_.front());
      jobs_.pop_front();
      lock.unlock();
      job();
    }
  }
  std::mutex mu_;
  std::condition_variable cv_;
  std::deque<std::function<void()>> jobs_;
  bool closed_ = false;
  std::vector<std::thread> threads_;
};

int main() {
  std::vector<int> file(400, 3);
  std::mutex total_mu;
  long total = 0;
  Pool pool(2);
  const std::size_t chunk = 40;
  std::size_t offset = 0;
  while (offset < 400) {
    pool.post([&] {
      std::size_t from = offset; // RACE offset
      long sum = 0;
      for (std::size_t i = from; i < from + chunk && i < file.size(); ++i) sum += file[i];
      std::lock_guard lock(total_mu);
      total += sum;
    });
    offset += chunk; // RACE offset
    std::this_thread::sleep_for(std::chrono::microseconds(300));
  }
  pool.drain();
  std::printf("uploaded %zu, checksum %ld\n", offset, total);
}
