// A unit that somebody else's build compiles, and the command that makes nothing of it but its model.
//
// Claim   The model is that of the unit as its build compiles it: same flags, same folder. Nothing of the build is written
//         to: flags that name outputs, dependency files and profiles are left out, and so are those only GCC knows.
// Assumes a compiler that is no clang means by its flags what clang means by them. `aarch64-linux-gnu-gcc` is taken for
//         clang with that target.
// Misses  precompiled headers of another compiler: that unit fails, and is told.
#pragma once

#include <string>
#include <vector>

namespace deadheat::capture {

struct UnitCommand {
  std::string file;                   // as the build names it
  std::string directory;              // absolute; in which the build runs the compiler
  std::string compiler;               // first word of the build's command; empty: by the file's name
  std::vector<std::string> arguments; // the other words, response files in place

  bool operator==(const UnitCommand &) const = default;
};

struct Compilers {
  std::vector<std::string> clang;
  std::vector<std::string> clangCxx;
  std::string plugin;
};

// C, C++, Objective-C, preprocessed or LLVM's own (.bc, .ll): what clang makes code of.
bool isSource(const std::string &file);

// The words that make the model, apart from where it goes (model_units.h).
std::vector<std::string> extractCommand(const UnitCommand &unit, const Compilers &compilers);

} // namespace deadheat::capture
