// The ways in to `deadheat check`: whatever names a program becomes the models of its units.
//
//   BINARY...         the models it carries, and those of the shared libraries that it names; plugins that it opens come after it
//   FILE... -- FLAGS  sources and bitcode, compiled with the flags as far as their models
//   -p BUILD          the units of compile_commands.json; with FILEs, only those of them
//   --model-dir DIR   what was built with DEADHEAT_MODEL_DIR
//
// Claim   The same inputs give the same binaries, in the same order, with any number of jobs. A unit that does not compile is
//         in `failed`, and stops no other; that no unit at all has a model is an Error.
#pragma once

#include <string>
#include <vector>

#include "link/symbols.h"
#include "support/error.h"
#include "support/progress.h"

namespace deadheat::driver {

struct CheckInputs {
  std::vector<std::string> files;
  std::vector<std::string> flags;
  std::string build;
  std::string modelDirectory;
  std::string cacheFolder;
  unsigned jobs = 0; // 0: all cores
};

struct CheckModels {
  std::vector<link::Binary> binaries; // the executable first
  std::vector<std::string> failed;    // units without a model, each with the reason
  std::vector<std::string> without;   // shared libraries without models
  size_t compiled = 0;                // units for which clang ran
  size_t cached = 0;                  // units that were as before

  size_t units() const;
};

Expected<CheckModels> gatherModels(const CheckInputs &inputs, Progress &progress);

// Whether the units are those of a Linux kernel, or of a module of it.
bool isKernel(const std::vector<link::Binary> &binaries);

} // namespace deadheat::driver
