// SHOWN
// FLAGS -std=c++20
// A dispatcher moves a job into the queue and then stamps it through a raw pointer it kept; the worker that took the job reads the stamp.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <queue>
#include <string>
#include <thread>
#include <vector>

struct Job {
  std::string command;
  long queued_at = 0;
  long waited = 0;
};

class JobQueue {
public:
  void push(std::unique_ptr<Job> job) {
    {
      std::lock_guard lock(mu_);
      jobs_.push(std::move(job));
    }
    ready_.notify_one();
  }
  std::unique_ptr<Job> pop() {
    std::unique_lock lock(mu_);
    ready_.wait(lock, [this] { return !jobs_.empty(); });
    auto job = std::move(jobs_.front());
    jobs_.pop();
    return job;
  }

private:
  std::mutex mu_;
  std::condition_variable ready_;
  std::queue<std::unique_ptr<Job>> jobs_;
};

class Finished {
public:
  void keep(std::unique_ptr<Job> job) {
    std::lock_guard lock(mu_);
    jobs_.push_back(std::move(job));
  }
  std::size_t count() {
    std::lock_guard lock(mu_);
    return jobs_.size();
  }

private:
  std::mutex mu_;
  std::vector<std::unique_ptr<Job>> jobs_; // kept for the audit report
};

static void work(JobQueue &queue, Finished &finished) {
  for (long now = 1;; ++now) {
    auto job = queue.pop();
    if (!job) return;
    job->waited = now - job->queued_at; // RACE stamp
    finished.keep(std::move(job));
  }
}

int main() {
  JobQueue queue;
  Finished finished;
  std::vector<std::thread> workers;
  for (int i = 0; i < 2; ++i) workers.emplace_back(work, std::ref(queue), std::ref(finished));
  for (long clock = 0; clock < 200; ++clock) {
    auto job = std::make_unique<Job>();
    job->command = "compress " + std::to_string(clock);
    Job *raw = job.get();
    queue.push(std::move(job));
    raw->queued_at = clock; // RACE stamp
    if (clock % 8 == 7) std::this_thread::sleep_for(std::chrono::microseconds(150));
  }
  for (std::size_t i = 0; i < workers.size(); ++i) queue.push(nullptr);
  for (auto &w : workers) w.join();
  std::printf("%zu jobs finished\n", finished.count());
}
