#include "driver/cc_verb.h"

#include <cstdlib>

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include "capture/compiler_version.h"
#include "capture/execute.h"
#include "capture/plan.h"
#include "driver/paths.h"

namespace deadheat::driver {

static constexpr int kBadInput = 2;

static std::string variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

static bool isSet(const char *name) {
  std::string value = variable(name);
  return !value.empty() && value != "0";
}

// Size and time instead of a hash: it is taken at every compile.
static std::string stampOf(const std::string &file) {
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(file, status) || !llvm::sys::fs::exists(status)) return {};
  auto time = status.getLastModificationTime().time_since_epoch().count();
  return std::to_string(status.getSize()) + "-" + std::to_string(time);
}

static capture::Environment surroundings(CompilerName name) {
  capture::Environment environment;
  environment.compiler = compilerCommand(name);
  if (choseCompiler(name)) environment.compilerVersion = capture::compilerVersion(environment.compiler);
  environment.plugin = pluginPath();
  environment.pluginStamp = stampOf(environment.plugin);
  environment.mode = variable("DEADHEAT_MODE");
  environment.modelDirectory = variable("DEADHEAT_MODEL_DIR");
  environment.quiet = isSet("DEADHEAT_QUIET");
  environment.strict = isSet("DEADHEAT_STRICT");
  environment.colours = llvm::sys::Process::StandardErrHasColors();
  environment.columns = llvm::sys::Process::StandardErrColumns();
  llvm::SmallString<256> directory;
  if (!llvm::sys::fs::current_path(directory)) environment.workingDirectory = directory.str().str();
  return environment;
}

static int complain(const Error &error) {
  llvm::errs() << "deadheat: error: " << error.text() << '\n';
  return kBadInput;
}

static int compile(CompilerName name, const std::vector<std::string> &arguments) {
  Expected<capture::Plan> plan =
      capture::planCompile(arguments, capture::expandResponseFiles(arguments), surroundings(name));
  if (!plan) return complain(plan.error());
  Expected<int> status = capture::execute(*plan);
  return status ? *status : complain(status.error());
}

int ccVerb(const std::vector<std::string> &arguments) { return compile(CompilerName::Clang, arguments); }
int cxxVerb(const std::vector<std::string> &arguments) { return compile(CompilerName::ClangCxx, arguments); }

} // namespace deadheat::driver
