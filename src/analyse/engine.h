// The static race engine: a linked program in, findings out.
//
// Claim   The same findings with any number of jobs. What demotes a finding is told with it; nothing is dropped silently
//         except by the bounds that `Counts` shows.
// Assumes and misses: see symbolic/function.h, race/common_lock.h, race/pairs.h.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "finding/finding.h"
#include "link/program.h"

namespace deadheat::analyse {

struct Options {
  unsigned jobs = 0; // 0: all cores
};

// What a part of the engine took.
struct Stage {
  const char *name;
  double seconds = 0;
};

struct Counts {
  uint64_t functions = 0; // with a summary
  uint64_t entries = 0;   // guarded accesses in summaries
  uint64_t accesses = 0;  // of threads
  uint64_t pairs = 0;
  uint64_t dropped = 0; // pairs of sites beyond those that are shown of a variable; known after findings()
  uint64_t folded = 0;  // guarded accesses beyond the bound of a summary
};

class RaceEngine {
public:
  RaceEngine(const link::Program &program, const Options &options);
  ~RaceEngine();

  std::vector<finding::Finding> findings();
  // Both summaries of a function in the form of RELAY's Fig. 1, and what became of its accesses. Lines of text.
  std::string explain(link::FuncId function) const;
  // Statements whose memory a lock guards whenever another thread could access it (race/guarded.h).
  std::set<std::pair<link::UnitId, model::SiteId>> guarded() const;
  Counts counts() const;
  const std::vector<Stage> &stages() const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace deadheat::analyse
