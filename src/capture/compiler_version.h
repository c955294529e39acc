// What a compiler says of itself.
#pragma once

#include <string>
#include <vector>

namespace deadheat::capture {

// The answer to -dumpversion, "19.1.7"; empty: there is none.
std::string compilerVersion(const std::vector<std::string> &compiler);

} // namespace deadheat::capture
