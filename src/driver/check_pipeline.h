// The static stages in order: models -> link -> engines -> findings.
#pragma once

#include <future>
#include <string>

#include "analyse/engine.h"
#include "driver/check_inputs.h"
#include "driver/check_program.h"
#include "finding/finding.h"
#include "support/error.h"
#include "support/progress.h"

namespace deadheat::driver {

struct CheckRequest {
  CheckInputs inputs;
  std::string config;  // empty: deadheat.toml, if there is one
  unsigned jobs = 0;   // 0: all cores
  std::string explain; // a function; empty: none
};

// What one stage cost.
struct StageCost {
  std::string stage;
  double seconds = 0;
};

struct CheckResult {
  CheckModels models; // without the units, which link has taken
  size_t units = 0;
  link::Program program;
  finding::Findings findings; // with the program; not collected yet
  SourceNames names;
  std::vector<StageCost> costs;            // of models and linking
  std::vector<StageCost> engineCosts = {}; // of what runEngines did
  std::vector<analyse::Stage> raceStages = {};
  bool wasSearched = false;                // by runEngines
  std::optional<uint64_t> analysed = {};   // functions; nothing: the findings are those of before
  std::vector<std::string> summaries = {}; // of the functions to be explained, in the order of link::functionsNamed
  std::future<void> tidied = {};           // what the engines knew is given back: in a kernel that takes seconds
};

// The first half: one program, described, without findings. `table` says what functions of libraries and of users do; the
// result's program points into it.
Expected<CheckResult> linkChecked(const CheckRequest &request, std::optional<knowledge::Table> &table,
                                  Progress &progress);

// The second half: adds what the engines find and explain.
void runEngines(const CheckRequest &request, CheckResult &result, Progress &progress);

} // namespace deadheat::driver
