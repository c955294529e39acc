// SHOWN
// FLAGS -std=c++20
// A const lookup under a shared lock counts its hits.
#include <cstdio>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

class Dns {
public:
  void add(const std::string &host, unsigned address) {
    std::unique_lock<std::shared_mutex> lock(mutex_);
    hosts_[host] = address; // NORACE
    hits_ = 0;              // NORACE
  }
  bool resolve(const std::string &host, unsigned &address) const {
    std::shared_lock<std::shared_mutex> lock(mutex_);
    auto it = hosts_.find(host); // NORACE
    if (it == hosts_.end()) return false;
    address = it->second;
    ++hits_; // RACE hits SELF
    return true;
  }
  long hits() const {
    std::unique_lock<std::shared_mutex> lock(mutex_);
    return hits_; // NORACE
  }

private:
  mutable std::shared_mutex mutex_;
  std::map<std::string, unsigned> hosts_;
  mutable long hits_ = 0;
};

int main() {
  Dns dns;
  for (int i = 0; i < 8; ++i) dns.add("host" + std::to_string(i), 0x0a000000u + i);
  std::vector<std::thread> clients;
  for (int c = 0; c < 3; ++c)
    clients.emplace_back([&dns] {
      unsigned address = 0;
      for (int i = 0; i < 40; ++i) dns.resolve("host" + std::to_string(i % 10), address);
    });
  dns.add("late", 1);
  for (auto &client : clients) client.join();
  std::printf("%d\n", dns.hits() >= 0);
  return 0;
}
