// All processes below ours.
//
// Assumes /proc lists children. A process that ends its parent in between may escape: callers ask again.
#pragma once

namespace deadheat::driver {

// Children first, then theirs: a parent that is told first may still start nothing new.
void signalDescendants(int signal);

} // namespace deadheat::driver
