// One directed run of the user's command.
//
// The command gets no input, a process group of its own, addresses that do not change from run to run where the system allows it, and
// the runtime with a control file (abi/control.h). What it prints is kept, not shown.
//
// A command that reaches its limit is asked to end (SIGTERM), then made to (SIGKILL): what the scheduler saw until then counts.
//
// Claim   After `runDirected` nothing of the command's process group runs any more, whatever the command did.
// Cost    One vfork and exec; some pages of control file.
// Misses  Processes that leave the group (daemons); memory is looked at now and then, that of the largest process alone.
#pragma once

#include <chrono>

#include "confirm/direction.h"

namespace deadheat::confirm {

using Clock = std::chrono::steady_clock;

struct Launch {
  std::vector<std::string> command;
  std::vector<std::string> environment; // KEY=VALUE, the runtime's preload among them; DEADHEAT_OPTIONS is added to
  std::chrono::milliseconds limit = std::chrono::seconds(10);
  Clock::time_point until = Clock::time_point::max(); // no run goes on after that
  std::function<bool()> stopped = {};                 // asked now and then: whether the user wants an end
  uint64_t memoryLimit = 0;                           // resident bytes of a process; 0: none
  uint64_t stepLimit = 20000;
  size_t outputLimit = 1 << 20;
  bool interactive = false; // a debugger: it has our terminal, our process group, and all the time it wants
};

Expected<Outcome> runDirected(const Launch &launch, const Direction &direction);

} // namespace deadheat::confirm
