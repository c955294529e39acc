// A model as text for people. The same units give the same bytes.
#pragma once

#include <span>

#include "llvm/Support/raw_ostream.h"

#include "model/frame.h"

namespace deadheat::driver {

struct ModelTextOptions {
  bool sites = true; // the early accesses of each function
  bool late = true;  // the late accesses of each function
  bool code = false; // the statements of each function
  bool symbols = false;
};

void printModel(llvm::raw_ostream &out, std::span<const model::LinkedUnit> units, const ModelTextOptions &options);

} // namespace deadheat::driver
