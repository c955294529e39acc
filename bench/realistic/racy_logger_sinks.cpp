// VERBS check run confirm
// FLAGS -std=c++17 -Wall
// SHOWN
// A logger with sinks: write() holds the lock, the level is changed without it, and a sink's own counter is guarded by the logger.
#include <functional>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

enum class Level { debug, info, warn };

struct Sink {
  virtual ~Sink() = default;
  virtual void emit(Level level, const std::string &text) = 0;
};

class MemorySink : public Sink {
public:
  void emit(Level, const std::string &text) override {
    lines_.push_back(text);
    bytes_ += text.size();
  }
  std::size_t lines() const { return lines_.size(); }

private:
  std::vector<std::string> lines_;
  std::size_t bytes_ = 0;
};

class CountingSink : public Sink {
public:
  void emit(Level level, const std::string &) override { ++counts_[static_cast<int>(level)]; }

private:
  int counts_[3] = {};
};

class Logger {
public:
  static Logger &instance() {
    static Logger logger;
    return logger;
  }
  void add(std::shared_ptr<Sink> sink) {
    std::lock_guard<std::mutex> lock(mutex_);
    sinks_.push_back(std::move(sink));
  }
  void level(Level level) { level_ = level; } // RACE level
  template <class... Args> void log(Level level, const Args &...args) {
    if (level < level_) return; // RACE level
    std::ostringstream out;
    (out << ... << args);
    write(level, out.str());
  }

private:
  Logger() = default;
  void write(Level level, const std::string &text) {
    std::lock_guard<std::mutex> lock(mutex_);
    for (auto &sink : sinks_) sink->emit(level, text);
  }
  std::mutex mutex_;
  std::vector<std::shared_ptr<Sink>> sinks_;
  Level level_ = Level::info;
};

int main() {
  auto memory = std::make_shared<MemorySink>();
  Logger::instance().add(memory);
  std::thread worker([] {
    for (int i = 0; i < 20; ++i) Logger::instance().log(Level::warn, "worker ", i);
  });
  std::thread admin([] {
    Logger::instance().level(Level::debug);
    Logger::instance().add(std::make_shared<CountingSink>());
    Logger::instance().log(Level::warn, "sink added");
  });
  worker.join();
  admin.join();
  return memory->lines() == 21 ? 0 : 1;
}
