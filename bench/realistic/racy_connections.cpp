// SHOWN
// FLAGS -std=c++20
// A table of connections; the reaper looks at a field that the I/O threads set without the table's lock.
#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

struct Connection {
  Connection(int fd_, std::string peer_) : fd(fd_), peer(std::move(peer_)) {}
  const int fd;
  const std::string peer;
  std::uint64_t lastActive = 0;
  std::mutex outMutex;
  std::string out;
};

class ConnectionTable {
public:
  void add(int fd, const std::string &peer) {
    std::lock_guard<std::mutex> guard(mutex_);
    table_.emplace(fd, std::make_shared<Connection>(fd, peer));
  }
  std::shared_ptr<Connection> find(int fd) const {
    std::lock_guard<std::mutex> guard(mutex_);
    auto it = table_.find(fd);
    if (it == table_.end()) return nullptr;
    return it->second;
  }
  std::size_t reap(std::uint64_t before) {
    std::lock_guard<std::mutex> guard(mutex_);
    std::size_t gone = 0;
    for (auto it = table_.begin(); it != table_.end();) {
      if (it->second->lastActive < before) { // RACE active
        it = table_.erase(it);
        ++gone;
      } else {
        ++it;
      }
    }
    return gone;
  }
  std::size_t size() const {
    std::lock_guard<std::mutex> guard(mutex_);
    return table_.size();
  }

private:
  mutable std::mutex mutex_;
  std::unordered_map<int, std::shared_ptr<Connection>> table_;
};

static void handle(ConnectionTable &table, int fd, int messages) {
  for (int i = 1; i <= messages; ++i) {
    auto connection = table.find(fd);
    if (!connection) return;
    {
      std::lock_guard<std::mutex> guard(connection->outMutex);
      connection->out += "ok\n"; // NORACE
    }
    connection->lastActive = static_cast<std::uint64_t>(i); // RACE active // RACE set SELF
  }
}

int main() {
  ConnectionTable table;
  for (int fd = 3; fd < 7; ++fd) table.add(fd, "10.0.0." + std::to_string(fd));
  std::vector<std::thread> io;
  for (int fd = 3; fd < 7; ++fd) io.emplace_back(handle, std::ref(table), fd, 50);
  io.emplace_back(handle, std::ref(table), 3, 50);
  std::thread reaper([&table] {
    for (std::uint64_t t = 0; t < 3; ++t) table.reap(t);
  });
  for (auto &thread : io) thread.join();
  reaper.join();
  std::printf("%zu\n", table.size());
  return 0;
}
