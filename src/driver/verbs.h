// The verbs of the command line. A verb is one row of the table in verbs.cpp and one file <verb>_verb.cpp.
#pragma once

#include <string>
#include <vector>

namespace deadheat::driver {

// A verb gets the arguments that follow its name and returns the exit status (docs: exit codes).
struct Verb {
  const char *name;
  const char *summary;
  int (*run)(const std::vector<std::string> &arguments);
};

// Runs the verb that the command line names, by its first argument or by the name of the program.
int dispatch(const std::vector<std::string> &commandLine);

} // namespace deadheat::driver
