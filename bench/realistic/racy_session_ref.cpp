// FLAGS -std=c++20
// SHOWN
// A session store under a shared_mutex: find() hands out a reference to a guarded session, used after the lock is gone.
#include <chrono>
#include <iostream>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct Session {
  std::string user;
  int requests = 0;
  long expires = 0;
};

class SessionStore {
public:
  void open(int id, std::string user) {
    std::unique_lock lock(mutex_);
    sessions_.try_emplace(id, Session{std::move(user), 0, 1000});
  }

  Session &find(int id) {
    std::shared_lock lock(mutex_);
    auto it = sessions_.find(id);
    if (it == sessions_.end()) throw std::out_of_range("no session");
    return it->second;
  }

  void extend(int id, long by) {
    std::unique_lock lock(mutex_);
    if (auto it = sessions_.find(id); it != sessions_.end()) it->second.expires += by;
  }

  int total() const {
    std::shared_lock lock(mutex_);
    int sum = 0;
    for (const auto &[id, session] : sessions_) sum += session.requests; // RACE total
    return sum;
  }

private:
  mutable std::shared_mutex mutex_;
  std::map<int, Session> sessions_;
};

class Server {
public:
  explicit Server(int sessions) : count_(sessions) {
    for (int i = 0; i < count_; ++i) store_.open(i, "user" + std::to_string(i));
  }

  void handle(int id) {
    Session &session = store_.find(id);
    session.requests++; // RACE requests SELF // RACE total
    store_.extend(id, 5);
  }

  int report() const { return store_.total(); }
  int size() const { return count_; }

private:
  SessionStore store_;
  int count_;
};

int main() {
  Server server(4);
  std::vector<std::thread> workers;
  for (int w = 0; w < 2; ++w)
    workers.emplace_back([&server] {
      for (int i = 0; i < 60; ++i) server.handle(i % server.size());
    });
  std::thread monitor([&server] {
    int last = 0;
    for (int i = 0; i < 10; ++i) last = std::max(last, server.report());
    std::cout << "seen " << last << "\n";
  });
  for (auto &worker : workers) worker.join();
  monitor.join();
  std::cout << server.report() << "\n";
}
