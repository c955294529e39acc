// deadheat replay ID [--gdb]
#pragma once

#include <string>
#include <vector>

namespace deadheat::driver {

int replayVerb(const std::vector<std::string> &arguments);

} // namespace deadheat::driver
