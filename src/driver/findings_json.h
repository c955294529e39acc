// findings.json, schema 1 (docs: the contract), of a run.
#pragma once

#include "llvm/Support/JSON.h"

#include "driver/run_report.h"
#include "finding/finding.h"

namespace deadheat::driver {

// What findings.json says of the program, and what a run adds to the schema: the field `executed`.
finding::Program programOf(const RunReport &report);
llvm::json::Object executedJson(const RunReport &report);

llvm::json::Value findingsJson(const RunReport &report);

} // namespace deadheat::driver
