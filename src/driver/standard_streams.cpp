#include "driver/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

namespace deadheat::driver {

// In the direction that the stream does not have. The lowest number that is free is the stream's own.
void holdClosedStreams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
    if (fcntl(stream, F_GETFD) < 0 &&
        open("/dev/null", (stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC) != stream)
      return;
}

} // namespace deadheat::driver
