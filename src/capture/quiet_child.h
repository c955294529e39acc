// A child process that nobody sees: its output goes to a file, and many may run at once.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "support/error.h"

namespace deadheat::capture {

struct QuietEnding {
  bool passed = false;
  std::string diagnostics = {}; // what it wrote to standard error
};

// Runs the command in `directory` with the variables added to the environment, and waits. Error: it cannot be started.
Expected<QuietEnding> runQuietly(const std::vector<std::string> &command, const std::string &directory,
                                 const std::vector<std::pair<std::string, std::string>> &variables,
                                 const std::string &diagnosticsFile);

} // namespace deadheat::capture
