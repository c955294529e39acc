// What a run executed, in terms of the program: counts of slots joined with the models that speak of them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "llvm/Support/raw_ostream.h"

#include "driver/run_arena.h"
#include "driver/run_budget.h"
#include "driver/run_models.h"
#include "driver/run_process.h"

namespace deadheat::driver {

inline constexpr size_t kOrigins = static_cast<size_t>(model::Origin::NoEarlySite) + 1;

// Of the late accesses of one origin: how many there are, how many ran, and how often.
struct OriginCount {
  uint64_t late = 0;
  uint64_t executed = 0;
  uint64_t executions = 0;
};

struct ExecutedAccess {
  size_t object = 0; // index into RunReport::objects
  LatePlace place;
  uint64_t count = 0;
};

struct ReportedObject {
  std::string path;
  size_t units = 0;
  uint64_t late = 0;
  uint64_t executed = 0;
  uint64_t executions = 0;
};

struct RunReport {
  std::vector<std::string> command;
  Ending ending;
  Recording recording;
  RunCost cost;
  std::vector<ReportedObject> objects;  // by path
  std::vector<ExecutedAccess> accesses; // by object and slot
  std::array<OriginCount, kOrigins> origins = {};
  uint64_t earlySites = 0;
  uint64_t executions = 0;
  uint64_t unknown = 0;             // executions of slots that no model speaks of
  std::vector<std::string> missing; // files that are not there any more
  std::vector<std::string> damaged; // files whose models are stripped or damaged, and what to do
  ModelPool models;                 // holds the units that `accesses` points into

  OriginCount total() const;
  OriginCount mapped() const; // those with early sites
};

// What is known of each file, whatever is wrong with others.
RunReport makeReport(Recording recording, std::vector<ObjectImage> images, ModelPool models);

// A few lines for people. With `hottest`, also the accesses that ran most often.
void printReport(llvm::raw_ostream &out, const RunReport &report, bool hottest);

} // namespace deadheat::driver
