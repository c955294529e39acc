// deadheat report: what is known.
#pragma once

#include <string>
#include <vector>

namespace deadheat::driver {

int reportVerb(const std::vector<std::string> &arguments);

} // namespace deadheat::driver
