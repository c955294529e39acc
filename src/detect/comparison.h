// What each sampler would have found, judged on one interleaving (LiteRace, 5.3).
//
// Claim   A sampler is given the whole synchronisation and, of the accesses, those that carry it (Samplers events): what it finds
//         is what happens-before detection finds in the log that it would have written. Races are static: pairs of places. A race is
//         rare if the full log has it fewer than three times in a million executed accesses.
// Differs LiteRace counts instructions; here several instructions that came of one access are one place. Where the runtime
//         filters repeats, they count as executed accesses and not as further occurrences of a race.
// Cost    That of seven detections without prediction beside the full one.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <set>

#include "abi/flags.h"
#include "detect/detector.h"

namespace deadheat::detect {

struct SamplerResult {
  uint64_t accesses = 0; // of those executed, that it would have told
  uint64_t rare = 0;     // races of the full log that it found
  uint64_t frequent = 0;
};

struct ComparisonResult {
  uint64_t accesses = 0; // executed, counted by the runtime
  uint64_t rare = 0;     // races of the full log
  uint64_t frequent = 0;
  std::array<SamplerResult, abi::kCompared> samplers;
};

// What was gathered in any number of processes.
class ComparisonTotals {
public:
  ComparisonResult result() const;

private:
  friend class Comparison;
  // A place of code: an access id, or the return address of a library call.
  using Pair = std::pair<uint64_t, uint64_t>;

  void add(const Detection &detection, std::map<Pair, uint64_t> &races);

  uint64_t accesses_ = 0;
  std::array<uint64_t, abi::kCompared> taken_ = {};
  std::map<Pair, uint64_t> all_; // how often each pair raced
  std::array<std::map<Pair, uint64_t>, abi::kCompared> found_;
};

// Of one process.
class Comparison {
public:
  Comparison(const trace::AccessShapes &shapes, DetectorOptions options);

  void apply(const trace::Event &event);
  // Ends it. `full` is what was detected in all events.
  void finish(const Detection &full, ComparisonTotals &totals);

private:
  void tally(const trace::Event &event);

  std::array<std::unique_ptr<Detector>, abi::kCompared> samplers_;
  std::vector<uint64_t> current_; // by thread number: who tells its next access
  uint64_t accesses_ = 0;
  std::array<uint64_t, abi::kCompared> taken_ = {};
};

} // namespace deadheat::detect
