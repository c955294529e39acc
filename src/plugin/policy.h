// What the compiler wrapper asks of the plugin. It comes by the environment: a plugin has no command line, and global
// options of LLVM would be seen by the user's clang.
#pragma once

#include <string>

namespace deadheat::plugin {

enum class DebugLevel { None, Lines, Full };

struct Policy {
  bool extract = true;                 // write a model
  bool instrument = true;              // two bodies
  bool modelOnly = false;              // nobody wants the code: stop after the model
  bool verify = false;                 // check our own output, for our tests
  DebugLevel debug = DebugLevel::Full; // what the user asked for; the front end always makes full debug info
  std::string modelDirectory;          // empty: the model goes into the object
};

Policy policyFromEnvironment();

} // namespace deadheat::plugin
