#include "driver/cc_verb.h"

#include "capture/execute.h"
#include "driver/paths.h"

namespace deadheat::driver {

static int compile(CompilerName name, const std::vector<std::string> &arguments) {
  return capture::compile(compilerCommand(name), pluginPath(), arguments);
}

int ccVerb(const std::vector<std::string> &arguments) { return compile(CompilerName::Clang, arguments); }
int cxxVerb(const std::vector<std::string> &arguments) { return compile(CompilerName::ClangCxx, arguments); }

} // namespace deadheat::driver
