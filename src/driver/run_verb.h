// deadheat run [OPTIONS] -- CMD: runs a command with the runtime and tells what it executed.
#pragma once

#include <string>
#include <vector>

namespace deadheat::driver {

int runVerb(const std::vector<std::string> &arguments);

} // namespace deadheat::driver
