// Decides what a compiler command becomes; execute.h does it.
//
// Claim   The plan compiles whatever clang compiles: where the plugin may take part there is a fallback without it, and
//         all other commands are clang's own. Code that clang cannot generate from what instrumentation made of it keeps its model. The user's arguments keep their order and their text; flags that only GCC
//         knows are left out and named.
// Assumes clang 19's driver: -Xclang reaches the front end after the driver's own -debug-info-kind and the last one
// wins. Cost    no system call.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "capture/command_line.h"
#include "support/error.h"

namespace deadheat::capture {

// Everything outside the command line that the decision depends on.
struct Environment {
  std::vector<std::string> compiler; // words that start clang
  std::string compilerVersion =
      {};                     // of a clang that the user chose; empty: it is the one that the plugin was built for
  std::string plugin;         // its path
  std::string pluginStamp;    // changes with the plugin's content; empty: there is no plugin
  std::string mode;           // DEADHEAT_MODE as it was found; empty: not set
  std::string modelDirectory; // DEADHEAT_MODEL_DIR
  std::string workingDirectory;
  bool quiet = false;   // DEADHEAT_QUIET: no notes
  bool strict = false;  // DEADHEAT_STRICT: an inner error is an error
  bool colours = false; // the terminal that will show the diagnostics has colours
  unsigned columns = 0; // and is that wide; 0: no terminal
};

struct Plan {
  std::vector<std::string> command;
  std::vector<std::string> fallback;  // tried when `command` fails; empty: `command` replaces this process
  std::vector<std::string> modelOnly; // tried when only the fallback passed; empty: none
  std::vector<std::pair<std::string, std::string>> variables; // for the child
  std::vector<std::string> notes;
  std::string failureNote;   // told when only the fallback passed
  std::string modelOnlyNote; // told when `modelOnly` passed
  bool spoolsInput = false;  // standard input is read, perhaps twice
};

// The plugin needs types and variables whatever the user keeps.
std::vector<std::string> debugFlags(DebugLevel level);

// `expanded` is `arguments` without response files.
Expected<Plan> planCompile(const std::vector<std::string> &arguments, const std::vector<std::string> &expanded,
                           const Environment &environment);

} // namespace deadheat::capture
