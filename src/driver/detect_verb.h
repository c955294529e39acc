// deadheat detect TRACE: detection on a stored trace.
#pragma once

#include <string>
#include <vector>

namespace deadheat::driver {

int detectVerb(const std::vector<std::string> &arguments);

} // namespace deadheat::driver
