// What `deadheat check` tells of the program besides findings, for people.
#pragma once

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include "driver/check_pipeline.h"

namespace deadheat::driver {

// What linking found, before the engines run: units, threads, locks, shared accesses, a line each; with `verbose`, all of
// them by name, and the stages of linking.
void printProgram(llvm::raw_ostream &out, const CheckResult &result, bool verbose);

// What the engines took, if they ran, and the gaps of all stages.
void printEngines(llvm::raw_ostream &out, const CheckResult &result, bool verbose);

// Of every function of that name. Error: there is none.
Expected<void> printExplanation(llvm::raw_ostream &out, const CheckResult &result, const std::string &function);

void printShared(llvm::raw_ostream &out, const std::vector<SharedAccess> &accesses);
llvm::json::Array sharedJson(const std::vector<SharedAccess> &accesses);

} // namespace deadheat::driver
