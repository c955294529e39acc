// All processes below ours, and those that went on by themselves.
//
// Assumes /proc lists children. A process that ends its parent in between may escape: callers ask again.
#pragma once

#include <string_view>

namespace deadheat::driver {

// Children first, then theirs: a parent that is told first may still start nothing new.
void signalDescendants(int signal);

// Processes that were started with these words in their environment, and are still there a moment later: daemons. Misses those that are
// another user's.
unsigned countStartedWith(std::string_view words);

} // namespace deadheat::driver
