// SHOWN
// FLAGS -std=c++20
// The snapshot's pointer is replaced by reload() while readers copy it: a shared_ptr is no atomic.
#include <chrono>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

struct Routes {
  int version = 0;
  std::map<std::string, int> ports;
  bool has(const std::string &name) const { return ports.count(name) > 0; } // RACE http https
};

class Router {
public:
  Router() : current_(std::make_shared<const Routes>()) {}
  void reload(int version) {
    auto fresh = std::make_shared<Routes>();
    fresh->version = version;
    fresh->ports.emplace("http", 80 + version);   // RACE http
    fresh->ports.emplace("https", 443 + version); // RACE https
    current_ = std::move(fresh);                  // RACE current
  }
  int port(const std::string &name) const {
    std::shared_ptr<const Routes> snapshot = current_; // RACE current
    return snapshot->has(name) ? 1 : -1;               // no write of the pointee is ordered before this, either
  }

private:
  std::shared_ptr<const Routes> current_;
};

int main() {
  Router router;
  long found = 0;
  std::thread reader([&] {
    for (int i = 0; i < 3; ++i) {
      found += router.port("http") > 0;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  router.reload(1);
  reader.join();
  std::printf("%ld %d\n", found, router.port("https"));
  return 0;
}
