// What a run adds to findings.json: facts of the program, and `executed`, which goes beyond the schema.
#pragma once

#include "llvm/Support/JSON.h"

#include "driver/run_report.h"
#include "finding/finding.h"

namespace deadheat::driver {

finding::Program programOf(const RunReport &report);
void writeExecuted(llvm::json::OStream &stream, const RunReport &report);

} // namespace deadheat::driver
