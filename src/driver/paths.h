// Where the parts of Deadheat are: relative to the running program, so that a build tree and an installed one work
// alike.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace deadheat::driver {

enum class CompilerName { Clang, ClangCxx };

std::string_view version();
std::string pluginPath();   // lib/deadheat/deadheat_plugin.so beside bin/
std::string directorPath(); // lib/deadheat/libdeadheat_director.so beside bin/
std::string runtimePath();  // lib/deadheat/libdeadheat_runtime.so beside bin/

// Whether the user named the compiler, by the variables below.
bool choseCompiler(CompilerName name);
// The words of $DEADHEAT_CLANG or $DEADHEAT_CLANGXX, else the clang found when Deadheat was configured.
std::vector<std::string> compilerCommand(CompilerName name);

} // namespace deadheat::driver
