// From stored traces back to what a run hands to its detection.
#pragma once

#include <string>
#include <vector>

#include "driver/run_models.h"
#include "finding/finding.h"
#include "support/error.h"
#include "trace/file.h"

namespace deadheat::driver {

class RunDetection;

trace::TraceObject toTrace(const ObjectImage &image);
ObjectImage fromTrace(trace::TraceObject object);

// What a trace says besides events, and what is wrong with it.
struct Replayed {
  std::vector<std::string> command;
  uint64_t damagedRecords = 0;
  bool complete = false;
};

Expected<Replayed> replayTrace(const std::string &path, RunDetection &detection);

} // namespace deadheat::driver
