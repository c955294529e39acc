// VERBS check run confirm
// FLAGS -std=c++17 -Wall
// SHOWN
// Request ids from a static member without a lock; everything else of the request belongs to its thread.
#include <array>
#include <cstdint>
#include <list>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

class Request {
public:
  Request() : id_(next_id()) {}
  explicit Request(std::string path) : Request() { path_ = std::move(path); }
  std::uint64_t id() const { return id_; }
  const std::string &path() const { return path_; }

private:
  static std::uint64_t next_id() {
    static std::uint64_t last = 0;
    return ++last; // RACE id SELF
  }
  std::uint64_t id_;
  std::string path_;
};

class Router {
public:
  using Handler = int (*)(const Request &);
  void route(std::string prefix, Handler handler) { routes_.push_back({std::move(prefix), handler}); }
  int dispatch(const Request &request) const {
    for (const auto &r : routes_)
      if (request.path().compare(0, r.prefix.size(), r.prefix) == 0) return r.handler(request);
    return 404;
  }

private:
  struct Route {
    std::string prefix;
    Handler handler;
  };
  std::vector<Route> routes_;
};

static int handle_home(const Request &r) { return r.id() > 0 ? 200 : 500; }

static int handle_stats(const Request &) {
  static std::mutex mutex;
  static std::list<int> recent;
  std::lock_guard lock(mutex);
  recent.push_back(static_cast<int>(recent.size()));
  if (recent.size() > 5) recent.pop_front();
  return 200;
}

int main() {
  Router router;
  router.route("/home", handle_home);
  router.route("/stats", handle_stats);
  std::array<int, 3> good{};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < good.size(); ++t)
    threads.emplace_back([&router, &ok = good[t]] {
      for (const char *path : {"/home", "/stats", "/nothing", "/home/a"})
        if (router.dispatch(Request(path)) == 200) ++ok;
    });
  for (auto &t : threads) t.join();
  return good[0] + good[1] + good[2] == 9 ? 0 : 1;
}
