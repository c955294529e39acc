// deadheat confirm [--runs N] [--finding ID] [--strategy NAME] -- CMD
#pragma once

#include <string>
#include <vector>

namespace deadheat::driver {

int confirmVerb(const std::vector<std::string> &arguments);

} // namespace deadheat::driver
