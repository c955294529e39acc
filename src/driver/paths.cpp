#include "driver/paths.h"

#include <cstdlib>

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace deadheat::driver {

static std::string besideProgram(llvm::StringRef file) {
  llvm::SmallString<256> path;
  if (llvm::sys::fs::real_path("/proc/self/exe", path)) return {};
  llvm::sys::path::remove_filename(path);
  llvm::sys::path::append(path, "..", "lib", "deadheat", file);
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.str().str();
}

std::string_view version() { return DEADHEAT_VERSION; }
std::string pluginPath() { return besideProgram("deadheat_plugin.so"); }
std::string directorPath() { return besideProgram("libdeadheat_director.so"); }
std::string runtimePath() { return besideProgram("libdeadheat_runtime.so"); }

static const char *chosenCompiler(CompilerName name) {
  return std::getenv(name == CompilerName::ClangCxx ? "DEADHEAT_CLANGXX" : "DEADHEAT_CLANG");
}

bool choseCompiler(CompilerName name) {
  const char *chosen = chosenCompiler(name);
  return chosen && *chosen;
}

std::vector<std::string> compilerCommand(CompilerName name) {
  bool cxx = name == CompilerName::ClangCxx;
  const char *chosen = chosenCompiler(name);
  llvm::SmallVector<llvm::StringRef, 4> words;
  llvm::SplitString(chosen ? chosen : "", words, " \t");
  if (words.empty()) return {cxx ? DEADHEAT_TOOLS_DIRECTORY "/clang++" : DEADHEAT_TOOLS_DIRECTORY "/clang"};
  return {words.begin(), words.end()};
}

} // namespace deadheat::driver
