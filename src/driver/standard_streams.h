// Standard streams that we were started without.
//
// Claim   No file of ours gets the number of a standard stream, and a command that we start finds closed what we found closed. Whoever reads or
//         writes such a stream gets the error that it would have had (EBADF).
// Assumes that it is called before any file is opened. SQLite opens one at such a number itself, and lets commands inherit it.
#pragma once

namespace deadheat::driver {

void holdClosedStreams();

} // namespace deadheat::driver
