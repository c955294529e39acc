#include "driver/process_tree.h"

#include <fstream>
#include <string>
#include <vector>

#include <signal.h>
#include <unistd.h>

#include "llvm/Support/FileSystem.h"

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

} // namespace

void signalDescendants(int signal) {
  std::vector<pid_t> all;
  addChildren(getpid(), all);
  for (size_t index = 0; index != all.size(); ++index) addChildren(all[index], all);
  for (pid_t process : all) kill(process, signal);
}

} // namespace deadheat::driver
