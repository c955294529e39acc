// What the engines found in a program, kept for the next check of the same program: then they need not run again.
//
// Claim   load() gives what store() was given for the same key, or nothing. The key covers all that the engines read: the
//         models of all units in their order, the user's configuration, and this very program.
// Misses  a program of which one unit changed is another program: what points-to knows of one function depends on all
//         others (docs/design/0020-what-a-second-check-repeats.md).
// Cost    one file for each store; a new one takes the place of the old one.
#pragma once

#include <optional>
#include <string>

#include "finding/finding.h"
#include "link/program.h"

namespace deadheat::driver {

class FindingsCache {
public:
  // `config`: the file with what users say of their own locks; it may not be there.
  FindingsCache(std::string folder, const link::Program &program, const std::string &config);

  std::optional<finding::Findings> load() const;
  // Whether it is there or not changes no result: what cannot be written is passed over.
  void store(const finding::Findings &found) const;

private:
  std::string folder_;
  std::string name_; // of the file; empty: nothing can be kept
};

} // namespace deadheat::driver
