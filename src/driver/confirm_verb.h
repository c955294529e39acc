// deadheat confirm -- CMD, and deadheat hunt -- CMD, which is check, run and confirm in one go.
#pragma once

#include <string>
#include <vector>

namespace deadheat::driver {

int confirmVerb(const std::vector<std::string> &arguments);
int huntVerb(const std::vector<std::string> &arguments);

} // namespace deadheat::driver
