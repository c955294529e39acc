// findings.json, schema 1 (docs: the contract), of a run.
#pragma once

#include "llvm/Support/JSON.h"

#include "driver/run_report.h"

namespace deadheat::driver {

llvm::json::Value findingsJson(const RunReport &report);

} // namespace deadheat::driver
