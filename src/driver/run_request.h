// What `deadheat run` was asked for, and what that means to the runtime.
#pragma once

#include <string>
#include <vector>

#include "driver/common_options.h"
#include "driver/run_arena.h"
#include "support/error.h"

namespace deadheat::driver {

struct RunRequest {
  std::vector<std::string> command;
  CommonOptions common;
  std::string modelDirectory;
  std::string sampler; // empty: what DEADHEAT_OPTIONS says, or the default
  std::string sample;
  std::string keepTrace;
  uint64_t maxLog = 0;
  unsigned limit = 0;  // seconds; 0: none
  double overhead = 0; // share of the CPU time that may be spent; 0: no matter
  std::string full;    // empty: sampled; "log": each access is told; else the program remembers them
  bool prune = false;  // leave out what check finds unshared
  bool steer = false;  // towards what the store has
  bool compare = false;
  bool offline = false;
  bool passThrough = false;
};

void declareRun(CLI::App &app, RunRequest &request);

// KEY=VALUE for the command: ours, with the runtime and its options.
Expected<std::vector<std::string>> prepareEnvironment(const RunRequest &request, const RunArena &arena,
                                                      const std::string &marks);

} // namespace deadheat::driver
