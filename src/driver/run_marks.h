// What `run` tells the runtime beforehand of the program (abi/marks.h), from what is known without running it.
//
// Claim   --prune: an access is left out only if all sites that it stands for touch memory that one thread alone reaches (link/shared.h), or
//         that a lock guards whenever two could (analyse/race/guarded.h).
//         --steer: functions that findings of the store name are told more often. Either is an offer: where a model or the store is
//         missing, that is told, and the run goes on without.
// Misses  What the program loads by dlopen is not pruned.
#pragma once

#include <string>
#include <vector>

#include "abi/marks.h"
#include "driver/run_request.h"

namespace deadheat::driver {

// A file without a name, which lasts as long as this.
class RunMarks {
public:
  // Empty where nothing was asked for.
  static RunMarks create(const RunRequest &request);

  RunMarks() = default;
  RunMarks(RunMarks &&other) noexcept;
  RunMarks &operator=(RunMarks &&) = delete;
  ~RunMarks();

  std::string path() const; // empty: there is none

private:
  explicit RunMarks(int file) : file_(file) {}

  int file_ = -1;
};

} // namespace deadheat::driver
