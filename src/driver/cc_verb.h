// deadheat cc, deadheat c++: the compiler wrapper. Every argument belongs to clang; docs/user/compiling.md.
#pragma once

#include <string>
#include <vector>

namespace deadheat::driver {

int ccVerb(const std::vector<std::string> &arguments);
int cxxVerb(const std::vector<std::string> &arguments);

} // namespace deadheat::driver
