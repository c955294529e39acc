// SHOWN
// FLAGS -std=c++20
// Only the leader thread ever changes the log, always under the lock, so it may read it without; followers read under the lock only.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

struct Entry {
  int term;
  std::string command;
};

class LeaderLog {
public:
  // Leader thread only.
  bool append(int term, const std::string &command) {
    if (!entries_.empty() && entries_.back().command == command) return false; // NORACE // sole writer reads
    {
      std::lock_guard lock(mu_);
      entries_.push_back({term, command});
    }
    grown_.notify_all();
    bytes_ += entries_.back().command.size(); // NORACE // leader's own
    return true;
  }
  std::size_t leader_size() const { return entries_.size(); } // NORACE
  std::size_t bytes() const { return bytes_; }

  // Followers.
  bool next(std::stop_token stop, std::size_t index, Entry &out) {
    std::unique_lock lock(mu_);
    if (!grown_.wait(lock, stop, [&] { return entries_.size() > index; })) return false;
    out = entries_[index];
    return true;
  }

private:
  std::mutex mu_;
  std::condition_variable_any grown_;
  std::vector<Entry> entries_;
  std::size_t bytes_ = 0;
};

class Follower {
public:
  explicit Follower(LeaderLog &log) : thread_([this, &log](std::stop_token stop) { follow(stop, log); }) {}
  std::size_t applied() const { return applied_.load(std::memory_order_acquire); }

private:
  void follow(std::stop_token stop, LeaderLog &log) {
    Entry e{};
    while (log.next(stop, applied_.load(std::memory_order_relaxed), e)) {
      state_ += static_cast<std::size_t>(e.term) + e.command.size();
      applied_.fetch_add(1, std::memory_order_release);
    }
  }

  std::atomic<std::size_t> applied_{0};
  std::size_t state_ = 0;
  std::jthread thread_;
};

int main() {
  LeaderLog log;
  std::vector<std::unique_ptr<Follower>> followers;
  for (int f = 0; f < 3; ++f) followers.push_back(std::make_unique<Follower>(log));
  int repeated = 0;
  for (int i = 0; i < 120; ++i) {
    if (!log.append(i / 40, "set x" + std::to_string(i / 2))) ++repeated;
    if (log.leader_size() % 16 == 0) std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  for (auto &f : followers)
    while (f->applied() < log.leader_size()) std::this_thread::yield();
  followers.clear();
  std::printf("%zu entries, %zu bytes, %d repeated\n", log.leader_size(), log.bytes(), repeated);
}
