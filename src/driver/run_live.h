// Findings of a command that still runs: in the store, where `deadheat report` finds them, every few seconds if there are new
// ones; and on standard error when someone asks by SIGUSR1.
//
// Cost    None of the program's time. The detector stops for as long as a report takes, at most a twentieth of the time.
#pragma once

#include <atomic>
#include <chrono>

#include "driver/common_options.h"
#include "driver/run_detection.h"

namespace deadheat::driver {

class RunLive {
public:
  // Both must live as long.
  RunLive(RunDetection &detection, const std::vector<std::string> &command, const CommonOptions &common);

  void look(bool asked); // now and then

private:
  using Clock = std::chrono::steady_clock;
  static constexpr Clock::duration kInterval = std::chrono::seconds(5);

  void report(const std::vector<detect::Detection> &detections, const RunCode &code); // on the detector's thread

  RunDetection &detection_;
  const std::vector<std::string> &command_;
  const CommonOptions &common_;
  Clock::time_point last_ = Clock::now();
  std::atomic<bool> asked_ = false;
  std::atomic<Clock::duration> interval_ = kInterval;
  size_t stored_ = 0; // findings
};

} // namespace deadheat::driver
