// Models of units, made by clang and the plugin without generating code, many at a time; those that are in the cache are
// not made again.
//
// Claim   One result per unit, in their order, whatever the number of jobs. A unit that fails says why and stops no other.
// Cost    of a unit that is compiled: clang's front end and the first few passes; of one in the cache: hashing its files.
#pragma once

#include <string>
#include <vector>

#include "capture/unit_command.h"
#include "support/error.h"
#include "support/progress.h"

namespace deadheat::capture {

struct ModelOptions {
  Compilers compilers;
  std::string cacheFolder; // made if need be
  unsigned jobs = 0;       // 0: all cores
};

struct ModelledUnit {
  std::string model = {};   // its file; empty: there is none
  std::string failure = {}; // why there is none: clang's first error, in one line
  bool compiled = false;    // clang ran
};

// Error: the cache cannot be written, or the plugin not be read.
Expected<std::vector<ModelledUnit>> modelUnits(const std::vector<UnitCommand> &units, const ModelOptions &options,
                                               Progress &progress);

} // namespace deadheat::capture
