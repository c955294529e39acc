// VERBS check run confirm
// FLAGS -std=c++17 -Wall
// SHOWN
// Plugin host: each plugin runs in a thread of its own; all but one use the context's lock.
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

struct Context {
  std::mutex mutex;
  std::unordered_map<std::string, int> settings;
  int errors = 0;
  int runs = 0;
};

class Plugin {
public:
  virtual ~Plugin() = default;
  virtual const char *name() const = 0;
  virtual void run(Context &context) = 0;
};

class SpellCheck : public Plugin {
public:
  const char *name() const override { return "spell"; }
  void run(Context &context) override {
    std::lock_guard<std::mutex> lock(context.mutex);
    context.settings["spell.words"] += 3;
    context.errors++; // RACE errors
    context.runs++;
  }
};

class Formatter : public Plugin {
public:
  const char *name() const override { return "format"; }
  void run(Context &context) override {
    {
      std::lock_guard<std::mutex> lock(context.mutex);
      context.runs++;
      width_ = context.settings["format.width"];
    }
    if (width_ == 0) fail(context);
  }

private:
  void fail(Context &context) { context.errors++; } // RACE errors
  int width_ = 0;
};

class AutoSave : public Plugin {
public:
  const char *name() const override { return "save"; }
  void run(Context &context) override {
    std::unique_lock<std::mutex> lock(context.mutex);
    context.runs++;
    lock.unlock();
    ++saves_;
  }

private:
  int saves_ = 0;
};

using Factory = std::function<std::unique_ptr<Plugin>()>;

int main() {
  const std::vector<Factory> factories = {
      [] { return std::make_unique<SpellCheck>(); },
      [] { return std::make_unique<Formatter>(); },
      [] { return std::make_unique<AutoSave>(); },
  };
  Context context;
  std::vector<std::unique_ptr<Plugin>> plugins;
  for (const auto &make : factories) plugins.push_back(make());
  std::vector<std::thread> threads;
  for (auto &plugin : plugins)
    threads.emplace_back([&context, p = plugin.get()] {
      for (int i = 0; i < 15; ++i) p->run(context);
    });
  for (auto &t : threads) t.join();
  return context.runs == 45 ? 0 : 1;
}
