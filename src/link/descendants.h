// Which threads start which, themselves or through others.
#pragma once

#include <vector>

#include "link/live_since.h"
#include "link/threads.h"

namespace deadheat::link {

// [thread]: all that it may start.
std::vector<ThreadBits> belowEach(const Threads &threads);

// Sets Threads::descendant, which is all false.
void findDescendants(Threads &threads, const std::vector<ThreadBits> &below);

} // namespace deadheat::link
