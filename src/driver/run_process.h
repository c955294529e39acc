// The command of `deadheat run`: started with the runtime, waited for, and told what we are told.
//
// Claim   The command gets our standard streams, signal dispositions, process group and environment, the latter with
//         LD_PRELOAD and DEADHEAT_OPTIONS added to. A signal sent to us reaches it once; after its end signals are ours again.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "support/error.h"

namespace deadheat::driver {

struct Ending {
  int status = 0; // as exit() was given it
  int signal = 0; // that killed it; 0: none
};

// The environment for a command that shall bring the runtime: KEY=VALUE.
std::vector<std::string> environmentWith(const std::string &runtime, const std::string &options);

class RunProcess {
public:
  static Expected<RunProcess> start(const std::vector<std::string> &command,
                                    const std::vector<std::string> &environment);

  RunProcess(RunProcess &&other) noexcept;
  RunProcess &operator=(RunProcess &&) = delete;
  ~RunProcess();

  // Its ending, once it has ended.
  std::optional<Ending> poll();

  // Returns when the time is over, it has ended, or a signal came.
  void wait(std::chrono::microseconds longest);

  // Whether someone sent us SIGUSR1 since the last call. It is passed on where the command has a handler for it, and would end it
  // elsewhere.
  bool takeReportRequest();

  // A command that lasts longer is ended with all that it started: SIGTERM, and SIGKILL for what is left after some seconds.
  void limit(std::chrono::seconds time);
  bool limitReached() const { return asked_; }

private:
  using Clock = std::chrono::steady_clock;

  explicit RunProcess(pid_t pid);
  void holdToLimit();

  pid_t pid_;
  int file_; // readable once it has ended; -1: the kernel has none
  Clock::time_point end_ = Clock::time_point::max();
  bool asked_ = false; // to end
};

} // namespace deadheat::driver
