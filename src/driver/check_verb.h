// deadheat check [BINARY | FILE... [-- CFLAGS] | -p BUILD | --model-dir DIR]: what the program looks like to a reader of its
// source: threads, locks, shared data, and what may race or lock up.
#pragma once

#include <string>
#include <vector>

namespace deadheat::driver {

int checkVerb(const std::vector<std::string> &arguments);

} // namespace deadheat::driver
