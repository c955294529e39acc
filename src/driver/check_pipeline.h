// The static stages in order: models -> link -> engines -> findings.
#pragma once

#include <string>

#include "driver/check_inputs.h"
#include "finding/finding.h"
#include "support/error.h"
#include "support/progress.h"

namespace deadheat::driver {

struct CheckRequest {
  CheckInputs inputs;
  std::string config; // empty: deadheat.toml, if there is one
};

struct CheckResult {
  CheckModels models;
  finding::Findings findings; // with the program; not collected yet
};

Expected<CheckResult> runCheck(const CheckRequest &request, Progress &progress);

} // namespace deadheat::driver
