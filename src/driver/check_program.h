// The linked program as findings.json and people see it: threads, locks, shared accesses, gaps.
#pragma once

#include "llvm/Support/raw_ostream.h"

#include "driver/check_inputs.h"
#include "driver/source_names.h"
#include "finding/finding.h"
#include "link/program.h"

namespace deadheat::driver {

// Files are named as in debug info: SourceNames::apply makes them the user's.
finding::Program describeProgram(const link::Program &program, const CheckModels &models);

// An access to an object that two threads can reach.
struct SharedAccess {
  finding::Place place;
  std::string function;
  std::string access;
  std::string path;

  auto operator<=>(const SharedAccess &) const = default;
};

// By place; one row for the same access of several units.
std::vector<SharedAccess> sharedAccesses(const link::Program &program, const SourceNames &names);

} // namespace deadheat::driver
