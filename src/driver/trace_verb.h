// deadheat trace dump FILE: the text form of a trace.
#pragma once

#include <string>
#include <vector>

namespace deadheat::driver {

int traceVerb(const std::vector<std::string> &arguments);

} // namespace deadheat::driver
