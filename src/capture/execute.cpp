#include "capture/execute.h"

#include <cstdio>
#include <cstdlib>
#include <unistd.h>

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"

namespace deadheat::capture {

static bool compiles(const std::vector<std::string> &arguments) {
  static const llvm::StringSet<> kSources = {".c", ".cc", ".cpp", ".cxx", ".C"};
  for (const std::string &argument : arguments)
    if (argument == "-E" || argument == "-fsyntax-only") return false;
  for (const std::string &argument : arguments)
    if (kSources.contains(llvm::sys::path::extension(argument))) return true;
  return false;
}

int compile(std::vector<std::string> command, const std::string &plugin, const std::vector<std::string> &arguments) {
  if (compiles(arguments) && access(plugin.c_str(), R_OK) == 0) {
    command.push_back("-fpass-plugin=" + plugin);
    for (const char *flag : {"-debug-info-kind=constructor", "-dwarf-version=5"}) {
      command.push_back("-Xclang");
      command.push_back(flag);
    }
    setenv("DEADHEAT_MODE", "full", 0);
    setenv("DEADHEAT_DEBUG", "full", 0);
  }
  command.insert(command.end(), arguments.begin(), arguments.end());
  std::vector<char *> words;
  for (std::string &word : command) words.push_back(word.data());
  words.push_back(nullptr);
  execvp(words[0], words.data());
  std::perror("deadheat: error: cannot start the compiler");
  return 2;
}

} // namespace deadheat::capture
