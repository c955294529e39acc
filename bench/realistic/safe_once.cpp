// SHOWN
// FLAGS -std=c++20
// Lazy initialisation that is right: call_once, a local static, and a double-checked atomic pointer.
#include <atomic>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

class Catalogue {
public:
  int price(const std::string &name) const {
    std::call_once(loaded_, [this] { load(); });
    auto it = prices_.find(name); // NORACE
    return it == prices_.end() ? 0 : it->second;
  }

private:
  void load() const {
    prices_["tea"] = 3;    // NORACE
    prices_["coffee"] = 4; // NORACE
  }
  mutable std::once_flag loaded_;
  mutable std::unordered_map<std::string, int> prices_;
};

class Codec {
public:
  static const Codec &instance() {
    static const Codec codec;
    return codec;
  }
  int decode(unsigned char c) const { return table_[c]; } // NORACE

private:
  Codec() : table_(256) {
    for (int i = 0; i < 256; ++i) table_[i] = i ^ 0x55; // NORACE
  }
  std::vector<int> table_;
};

struct Engine {
  int seed = 7;
  int steps = 0;
};

class EngineHolder {
public:
  ~EngineHolder() { delete engine_.load(); }
  const Engine &get() {
    Engine *engine = engine_.load(std::memory_order_acquire);
    if (!engine) {
      std::lock_guard<std::mutex> guard(mutex_);
      engine = engine_.load(std::memory_order_relaxed);
      if (!engine) {
        engine = new Engine;
        engine->seed = 11; // NORACE
        engine->steps = 2; // NORACE
        engine_.store(engine, std::memory_order_release);
      }
    }
    return *engine;
  }

private:
  std::atomic<Engine *> engine_{nullptr};
  std::mutex mutex_;
};

int main() {
  Catalogue catalogue;
  EngineHolder holder;
  std::atomic<long> sum{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      long mine = catalogue.price("tea") + catalogue.price("milk");
      mine += Codec::instance().decode('x');
      const Engine &engine = holder.get();
      mine += engine.seed * engine.steps; // NORACE
      sum += mine;
    });
  for (auto &thread : threads) thread.join();
  std::printf("%ld\n", sum.load());
  return 0;
}
