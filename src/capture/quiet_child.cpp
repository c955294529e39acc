#include "capture/quiet_child.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

namespace deadheat::capture {

using Variables = std::vector<std::pair<std::string, std::string>>;

static std::vector<std::string> environmentWith(const Variables &variables) {
  std::vector<std::string> all;
  for (char **entry = environ; *entry; ++entry) {
    llvm::StringRef name = llvm::StringRef(*entry).split('=').first;
    if (llvm::none_of(variables, [&](const auto &variable) { return name == variable.first; })) all.push_back(*entry);
  }
  for (const auto &[name, value] : variables) all.push_back(name + "=" + value);
  return all;
}

static std::vector<char *> pointersTo(std::vector<std::string> &words) {
  std::vector<char *> pointers;
  for (std::string &word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

static int start(std::vector<std::string> words, const std::string &directory, const Variables &variables,
                 const std::string &diagnosticsFile, pid_t &child) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, diagnosticsFile.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                   0600);
  posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());
  std::vector<std::string> environment = environmentWith(variables);
  int error = posix_spawnp(&child, words[0].c_str(), &actions, nullptr, pointersTo(words).data(),
                           pointersTo(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

Expected<QuietEnding> runQuietly(const std::vector<std::string> &command, const std::string &directory,
                                 const Variables &variables, const std::string &diagnosticsFile) {
  if (!llvm::sys::fs::is_directory(directory))
    return fail(directory + ": there is no such folder", "build the program first");
  pid_t child = 0;
  if (int error = start(command, directory, variables, diagnosticsFile, child))
    return fail(command.front() + ": " + std::strerror(error),
                "install clang 19, or set DEADHEAT_CLANG and DEADHEAT_CLANGXX");
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  QuietEnding ending{.passed = WIFEXITED(status) && WEXITSTATUS(status) == 0};
  if (auto text = llvm::MemoryBuffer::getFile(diagnosticsFile)) ending.diagnostics = (*text)->getBuffer().str();
  return ending;
}

} // namespace deadheat::capture
