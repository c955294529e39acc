// SHOWN
// FLAGS -std=c++20
// A logger that formats into a static buffer before it locks.
#include <cstdio>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

enum class Level { Debug, Info, Error };

namespace {

const char *nameOf(Level level) {
  static const char *const names[] = {"debug", "info", "error"};
  return names[static_cast<int>(level)];
}

const char *prefix(Level level, int line) {
  static char buffer[64];
  std::snprintf(buffer, sizeof buffer, "[%s] %d: ", nameOf(level), line); // RACE format SELF // RACE copy
  return buffer;
}

class Logger {
public:
  static Logger &get() {
    static Logger logger;
    return logger;
  }
  void log(Level level, int line, const std::string &text) {
    const char *head = prefix(level, line);
    std::lock_guard<std::mutex> guard(mutex_);
    char row[128];
    std::strcpy(row, head); // RACE copy
    std::strncat(row, text.c_str(), sizeof row - std::strlen(row) - 1);
    rows_.emplace_back(row); // NORACE
  }
  std::size_t rows() {
    std::lock_guard<std::mutex> guard(mutex_);
    return rows_.size();
  }

private:
  Logger() = default;
  std::mutex mutex_;
  std::vector<std::string> rows_;
};

void work(int id) {
  for (int i = 0; i < 20; ++i) Logger::get().log(i % 3 ? Level::Info : Level::Error, i, "worker " + std::to_string(id));
}

} // namespace

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back(work, i);
  for (auto &thread : threads) thread.join();
  std::printf("%zu\n", Logger::get().rows());
  return 0;
}
