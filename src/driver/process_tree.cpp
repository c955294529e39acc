#include "driver/process_tree.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include <signal.h>
#include <unistd.h>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace deadheat::driver {
namespace {

void addChildren(pid_t process, std::vector<pid_t> &all) {
  std::error_code error;
  const std::string tasks = "/proc/" + std::to_string(process) + "/task";
  for (llvm::sys::fs::directory_iterator task(tasks, error), end; !error && task != end; task.increment(error)) {
    std::ifstream children(task->path() + "/children");
    for (pid_t child; children >> child;) all.push_back(child);
  }
}

// Nothing of one that has ended.
bool wasStartedWith(const std::string &process, std::string_view words) {
  std::ifstream file("/proc/" + process + "/environ", std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(file), {}};
  return all.contains(words);
}

std::vector<std::string> startedWith(std::string_view words) {
  std::vector<std::string> found;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator entry("/proc", error), end; !error && entry != end; entry.increment(error)) {
    std::string process = llvm::sys::path::filename(entry->path()).str();
    if (llvm::all_of(process, llvm::isDigit) && wasStartedWith(process, words)) found.push_back(std::move(process));
  }
  return found;
}

} // namespace

unsigned countStartedWith(std::string_view words) {
  constexpr auto kMoment = std::chrono::milliseconds(50);
  std::vector<std::string> found = startedWith(words);
  if (found.empty()) return 0;
  std::this_thread::sleep_for(kMoment); // some end just now
  return static_cast<unsigned>(llvm::count_if(found, [&](const auto &one) { return wasStartedWith(one, words); }));
}

void signalDescendants(int signal) {
  std::vector<pid_t> all;
  addChildren(getpid(), all);
  for (size_t index = 0; index != all.size(); ++index) addChildren(all[index], all);
  for (pid_t process : all) kill(process, signal);
}

} // namespace deadheat::driver
