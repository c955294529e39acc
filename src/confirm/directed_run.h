// One directed run of the user's command.
//
// The command gets no input, a process group of its own, addresses that do not change from run to run where the system allows it, and
// the runtime with a control file (abi/control.h). What it prints is kept, not shown.
//
// Claim   After `runDirected` nothing of the command's process group runs any more, whatever the command did.
// Cost    One fork and exec; some pages of control file.
#pragma once

#include <chrono>

#include "confirm/direction.h"

namespace deadheat::confirm {

struct Launch {
  std::vector<std::string> command;
  std::vector<std::string> environment; // KEY=VALUE, the runtime's preload among them; DEADHEAT_OPTIONS is added to
  std::chrono::milliseconds limit = std::chrono::seconds(10);
  uint64_t memoryLimit = 0; // bytes of address space; 0: none
  uint64_t stepLimit = 20000;
  size_t outputLimit = 1 << 20;
  bool interactive = false; // a debugger: it has our terminal, our process group, and all the time it wants
};

Expected<Outcome> runDirected(const Launch &launch, const Direction &direction);

} // namespace deadheat::confirm
