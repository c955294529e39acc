// deadheat suppress: leave a finding out from now on.
#pragma once

#include <string>
#include <vector>

namespace deadheat::driver {

int suppressVerb(const std::vector<std::string> &arguments);

} // namespace deadheat::driver
