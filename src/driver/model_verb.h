// deadheat model dump: the text form of the models that programs carry.
#pragma once

#include <string>
#include <vector>

namespace deadheat::driver {

int modelVerb(const std::vector<std::string> &arguments);

} // namespace deadheat::driver
