// VERBS check run
// FLAGS -std=c++14 -Wall
// SHOWN
// Database pool: a lease takes a connection out of the pool and puts it back when it dies; who has the lease has the connection.
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

class Connection {
public:
  explicit Connection(int id) : id_(id) {}
  int execute(const std::string &sql) {
    ++statements_;
    last_ = sql;
    inTransaction_ = sql == "BEGIN" || (inTransaction_ && sql != "COMMIT");
    return id_ + static_cast<int>(last_.size());
  }
  long statements() const { return statements_; }
  bool inTransaction() const { return inTransaction_; }

private:
  int id_;
  long statements_ = 0;
  std::string last_;
  bool inTransaction_ = false;
};

class Pool {
public:
  class Lease {
  public:
    Lease(Pool &pool, std::unique_ptr<Connection> c) : pool_(&pool), connection_(std::move(c)) {}
    Lease(Lease &&other) noexcept : pool_(other.pool_), connection_(std::move(other.connection_)) {}
    Lease &operator=(Lease &&) = delete;
    ~Lease() {
      if (connection_) pool_->giveBack(std::move(connection_));
    }
    Connection *operator->() { return connection_.get(); }

  private:
    Pool *pool_;
    std::unique_ptr<Connection> connection_;
  };

  explicit Pool(int size) {
    for (int i = 0; i < size; ++i) idle_.push_back(std::make_unique<Connection>(i));
  }

  Lease lease() {
    std::unique_lock<std::mutex> lock(mutex_);
    returned_.wait(lock, [this] { return !idle_.empty(); });
    auto c = std::move(idle_.back());
    idle_.pop_back();
    return Lease(*this, std::move(c));
  }

  long total() {
    std::lock_guard<std::mutex> lock(mutex_);
    long n = 0;
    for (auto &c : idle_) n += c->statements();
    return n;
  }

private:
  void giveBack(std::unique_ptr<Connection> c) {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      idle_.emplace_back(std::move(c));
    }
    returned_.notify_one();
  }

  std::mutex mutex_;
  std::condition_variable returned_;
  std::vector<std::unique_ptr<Connection>> idle_;
};

static void transaction(Pool &pool, int n) {
  auto db = pool.lease();
  db->execute("BEGIN");
  db->execute("UPDATE account SET n = " + std::to_string(n));
  if (db->inTransaction()) db->execute("COMMIT");
}

int main() {
  Pool pool(2);
  std::vector<std::thread> clients;
  for (int t = 0; t < 4; ++t)
    clients.emplace_back([&pool] {
      for (int i = 0; i < 10; ++i) transaction(pool, i);
    });
  for (auto &c : clients) c.join();
  return pool.total() == 120 ? 0 : 1;
}
