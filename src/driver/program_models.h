// The models of what a command runs: the program that its first word names, and the shared libraries that it names.
#pragma once

#include <string>
#include <vector>

#include "model/frame.h"
#include "support/error.h"

namespace deadheat::driver {

struct ProgramModels {
  std::string path; // of the program
  std::vector<model::LinkedUnit> units;
};

// `word` as the shell would find it.
Expected<ProgramModels> programModels(const std::string &word);

} // namespace deadheat::driver
