// SHOWN
// FLAGS -std=c++20
// A connection table hands out references to its sessions; one request path keeps using the reference after the table lock is gone.
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

struct Session {
  std::string peer;
  std::uint64_t bytes_in = 0;
  std::uint64_t requests = 0;
};

class SessionTable {
public:
  void open(int id, std::string peer) {
    std::lock_guard lock(mu_);
    sessions_[id].peer = std::move(peer);
  }

  // References into an unordered_map stay valid across rehashing, so this looks harmless.
  Session &find(int id) {
    std::lock_guard lock(mu_);
    return sessions_.at(id);
  }

  void count_request(int id) {
    std::lock_guard lock(mu_);
    sessions_.at(id).requests++;
  }

  void report() {
    std::lock_guard lock(mu_);
    std::uint64_t requests = 0;
    for (auto &[id, s] : sessions_) requests += s.requests;
    std::printf("%zu sessions, %llu requests\n", sessions_.size(), static_cast<unsigned long long>(requests));
  }

private:
  std::mutex mu_;
  std::unordered_map<int, Session> sessions_;
};

static void serve(SessionTable &table, int first, int packets) {
  for (int i = 0; i < packets; ++i) {
    int id = (first + i) % 4;
    table.count_request(id);
    Session &s = table.find(id);
    s.bytes_in += 64 + static_cast<unsigned>(i); // RACE bytes SELF
  }
}

int main() {
  SessionTable table;
  for (int id = 0; id < 4; ++id) table.open(id, "10.0.0." + std::to_string(id));
  std::vector<std::thread> workers;
  for (int w = 0; w < 3; ++w) workers.emplace_back(serve, std::ref(table), w, 200);
  for (int id = 100; id < 140; ++id) table.open(id, "10.0.1.x");
  for (auto &t : workers) t.join();
  std::printf("session 0: %llu bytes\n", static_cast<unsigned long long>(table.find(0).bytes_in));
  table.report();
}
