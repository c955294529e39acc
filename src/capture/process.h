// A child process that behaves, towards the shell or make, as if it were this one.
#pragma once

#include <string>
#include <vector>

#include "support/error.h"

namespace deadheat::capture {

inline constexpr int kInherit = -1;

// Descriptors that become the child's standard streams.
struct Streams {
  int input = kInherit;
  int output = kInherit;
  int error = kInherit;
};

struct Ending {
  int status = 0;           // as exit() was given it
  int signal = 0;           // that killed the child; 0: none
  bool interrupted = false; // by somebody who wants the whole job to stop

  bool passed() const { return status == 0 && signal == 0; }
};

// Waits for the child; a signal that asks this process to stop is passed on to it.
Expected<Ending> runChild(const std::vector<std::string> &command, const Streams &streams);

// Ends this process the way the child ended, or returns the status to exit with.
int endLike(const Ending &ending);

// Becomes the command; returns only if that fails.
std::unexpected<Error> replaceProcess(const std::vector<std::string> &command);

} // namespace deadheat::capture
