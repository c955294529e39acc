// SHOWN
// FLAGS -std=c++20
// A routing table is replaced as a whole through the atomic shared_ptr functions; readers use their snapshot without any lock.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

struct Routes {
  int generation = 0;
  std::map<std::string, int> next_hop;
};

class Router {
public:
  Router() : table_(std::make_shared<const Routes>()) {}

  int lookup(const std::string &prefix) const {
    auto snapshot = std::atomic_load(&table_);
    auto it = snapshot->next_hop.find(prefix); // NORACE
    return it == snapshot->next_hop.end() ? -1 : it->second;
  }

  // Copy on write; a lost compare-exchange means another update came in between.
  void update(const std::string &prefix, int hop) {
    auto old = std::atomic_load(&table_);
    for (;;) {
      auto fresh = std::make_shared<Routes>(*old);
      fresh->next_hop[prefix] = hop;
      fresh->generation++; // NORACE // not published yet
      std::shared_ptr<const Routes> frozen = std::move(fresh);
      if (std::atomic_compare_exchange_strong(&table_, &old, frozen)) return;
    }
  }

  int generation() const { return std::atomic_load(&table_)->generation; }

private:
  std::shared_ptr<const Routes> table_;
};

int main() {
  auto router = std::make_unique<Router>();
  std::atomic<int> hits{0};
  {
    std::vector<std::jthread> threads;
    for (int u = 0; u < 2; ++u)
      threads.emplace_back([&router, u] {
        for (int i = 0; i < 30; ++i) {
          router->update("10." + std::to_string(u) + "." + std::to_string(i), i);
          std::this_thread::sleep_for(std::chrono::microseconds(30));
        }
      });
    for (int r = 0; r < 2; ++r)
      threads.emplace_back([&router, &hits, r] {
        for (int i = 0; i < 200; ++i)
          if (router->lookup("10." + std::to_string(r) + "." + std::to_string(i % 30)) >= 0)
            hits.fetch_add(1, std::memory_order_relaxed);
      });
  }
  std::printf("generation %d, hits %s\n", router->generation(), hits.load() >= 0 ? "counted" : "?");
}
