// How files are named to the user: relative to the folder in which `deadheat` runs where they lie below it, else absolutely.
// Debug info names them relative to the folder of each unit's compile.
//
// Misses  a relative name that units in different folders use for different files: it stays as it is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "llvm/ADT/StringMap.h"

#include "finding/finding.h"
#include "model/frame.h"

namespace deadheat::driver {

class SourceNames {
public:
  // `root`: absolute.
  SourceNames(const std::vector<model::LinkedUnit> &units, std::string root);

  std::string shown(std::string_view file) const;

  // All places of all findings, and of the program.
  void apply(finding::Findings &findings) const;

private:
  void add(std::string_view directory, std::string_view file);

  std::string root_;
  llvm::StringMap<std::string> names_; // as in debug info -> as shown; empty: ambiguous
};

} // namespace deadheat::driver
