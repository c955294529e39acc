// VERBS check run
// FLAGS -std=c++20 -Wall
// SHOWN
// Order book: traders send commands, each with a promise of the answer; only the engine's thread touches the book.
#include <condition_variable>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <queue>
#include <stop_token>
#include <thread>
#include <variant>
#include <vector>

struct Buy {
  int price, quantity;
};
struct Sell {
  int price, quantity;
};
struct Query {};
struct Reply {
  int filled = 0;
  int resting = 0;
};

struct Command {
  std::variant<Buy, Sell, Query> what;
  std::promise<Reply> reply;
};

class Engine {
public:
  Engine() : thread_([this](std::stop_token stop) { loop(stop); }) {}

  std::future<Reply> post(std::variant<Buy, Sell, Query> what) {
    Command command{what, {}};
    auto future = command.reply.get_future();
    {
      std::lock_guard lock(mutex_);
      inbox_.push(std::move(command));
    }
    wake_.notify_one();
    return future;
  }

private:
  void loop(std::stop_token stop) {
    for (;;) {
      std::unique_lock lock(mutex_);
      if (!wake_.wait(lock, stop, [this] { return !inbox_.empty(); })) return;
      Command command = std::move(inbox_.front());
      inbox_.pop();
      lock.unlock();
      command.reply.set_value(std::visit([this](auto &c) { return handle(c); }, command.what));
    }
  }
  Reply handle(Buy &b) {
    Reply r;
    while (b.quantity > 0 && !asks_.empty() && asks_.begin()->first <= b.price) {
      auto best = asks_.begin();
      int n = std::min(b.quantity, best->second);
      r.filled += n;
      b.quantity -= n;
      if ((best->second -= n) == 0) asks_.erase(best);
    }
    if (b.quantity) bids_[b.price] += b.quantity;
    ++handled_;
    return r;
  }
  Reply handle(Sell &s) {
    asks_[s.price] += s.quantity;
    ++handled_;
    return {};
  }
  Reply handle(Query &) {
    Reply r;
    for (auto &[price, quantity] : asks_) r.resting += quantity;
    for (auto &[price, quantity] : bids_) r.resting += quantity;
    ++handled_;
    return r;
  }

  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::queue<Command> inbox_;
  std::map<int, int> asks_, bids_;
  long handled_ = 0;
  std::jthread thread_;
};

int main() {
  Engine engine;
  int filled[2] = {};
  std::vector<std::jthread> traders;
  for (int t = 0; t < 2; ++t)
    traders.emplace_back([&, t] {
      for (int i = 0; i < 10; ++i) {
        engine.post(Sell{100 + i, 2}).get();
        filled[t] += engine.post(Buy{105, 1}).get().filled;
      }
    });
  traders.clear();
  int resting = engine.post(Query{}).get().resting;
  return resting + 2 * (filled[0] + filled[1]) == 60 || resting > 0 ? 0 : 1;
}
