// What there is to aim at: findings of the store, gathered by check and run where there are none yet, or the pairs that a user names.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "confirm/directed_run.h"
#include "driver/common_options.h"
#include "driver/program_models.h"
#include "finding/finding.h"

namespace deadheat::driver {

struct GatherLimits {
  std::chrono::seconds run = {};
  confirm::Clock::time_point until = confirm::Clock::time_point::max(); // half of what is left then is for check
};

// Runs `run --full` on the command (three times, if it is short) and `check` on the program, which leave their findings in the store: the first phase of RaceFuzzer, and
// what can be seen without a run. What either cannot do is told, and is no error.
void gatherCandidates(const std::vector<std::string> &command, const ProgramModels &models, const GatherLimits &limits,
                      const CommonOptions &common);

// The models of what the command runs. If its first word is a script, it is run once to see which instrumented program it starts.
Expected<ProgramModels> modelsOf(const std::vector<std::string> &command, const confirm::Launch &launch);

// All findings of the store; Error: there is no store.
Expected<finding::Findings> storedFindings(const CommonOptions &common);

// Every two accesses of FILE:LINE,FILE:LINE (one line alone: with itself) that could race.
Expected<std::vector<finding::Finding>> pairFindings(const std::string &text, const ProgramModels &models);

} // namespace deadheat::driver
