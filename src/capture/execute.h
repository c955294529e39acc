// Runs the compiler with the plugin.
#pragma once

#include <string>
#include <vector>

namespace deadheat::capture {

int compile(std::vector<std::string> command, const std::string &plugin, const std::vector<std::string> &arguments);

} // namespace deadheat::capture
