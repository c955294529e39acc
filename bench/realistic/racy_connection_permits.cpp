// SHOWN
// FLAGS -std=c++20
// A connection pool counts permits with a semaphore; the semaphore lets several threads in at once, so the free list behind it is unguarded.
#include <array>
#include <atomic>
#include <cstdio>
#include <memory>
#include <semaphore>
#include <thread>
#include <vector>

struct Connection {
  std::atomic<int> queries{0};
};

class ConnectionPool {
public:
  static constexpr unsigned size = 4;

  ConnectionPool() {
    for (unsigned i = 0; i < size; ++i) free_[i] = i;
    top_ = size;
  }

  unsigned checkout() {
    permits_.acquire();
    return free_[--top_ % size]; // RACE out SELF // RACE outin
  }

  void checkin(unsigned id) {
    free_[top_++ % size] = id; // RACE in SELF // RACE outin
    permits_.release();
  }

  Connection &connection(unsigned id) { return connections_[id % size]; }

  int queries() const {
    int n = 0;
    for (const auto &c : connections_) n += c.queries.load();
    return n;
  }

private:
  std::counting_semaphore<size> permits_{size};
  std::array<unsigned, size> free_{};
  unsigned top_ = 0;
  std::array<Connection, size> connections_;
};

class Lease {
public:
  explicit Lease(ConnectionPool &pool) : pool_(pool), id_(pool.checkout()) {}
  ~Lease() { pool_.checkin(id_); }
  Lease(const Lease &) = delete;
  Lease &operator=(const Lease &) = delete;
  void query() { pool_.connection(id_).queries.fetch_add(1); }

private:
  ConnectionPool &pool_;
  const unsigned id_;
};

int main() {
  auto pool = std::make_unique<ConnectionPool>();
  std::vector<std::jthread> handlers;
  for (int h = 0; h < 4; ++h)
    handlers.emplace_back([&pool] {
      for (int i = 0; i < 200; ++i) {
        Lease lease(*pool);
        lease.query();
        if (i % 50 == 0) std::this_thread::yield();
      }
    });
  handlers.clear();
  std::printf("%d queries\n", pool->queries());
}
