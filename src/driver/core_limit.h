// -j: while it lives, no more threads than this work in one process.
#pragma once

#include <optional>

#include "oneapi/tbb/global_control.h"

namespace deadheat::driver {

class CoreLimit {
public:
  explicit CoreLimit(unsigned jobs) { // 0: as many as there are processors
    if (jobs > 0) control_.emplace(oneapi::tbb::global_control::max_allowed_parallelism, jobs);
  }

private:
  std::optional<oneapi::tbb::global_control> control_;
};

} // namespace deadheat::driver
