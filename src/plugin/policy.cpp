#include "plugin/policy.h"

#include <cstdlib>

#include "llvm/ADT/StringSwitch.h"

namespace deadheat::plugin {

namespace {

llvm::StringRef variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

} // namespace

Policy policyFromEnvironment() {
  Policy policy;
  llvm::StringRef mode = variable("DEADHEAT_MODE");
  policy.extract = mode != "instrument" && mode != "off";
  policy.instrument = mode != "extract" && mode != "off";
  policy.modelOnly = !variable("DEADHEAT_MODEL_ONLY").empty();
  policy.verify = !variable("DEADHEAT_VERIFY").empty();
  policy.debug = llvm::StringSwitch<DebugLevel>(variable("DEADHEAT_DEBUG"))
                     .Case("none", DebugLevel::None)
                     .Case("lines", DebugLevel::Lines)
                     .Default(DebugLevel::Full);
  policy.modelDirectory = variable("DEADHEAT_MODEL_DIR").str();
  return policy;
}

} // namespace deadheat::plugin
