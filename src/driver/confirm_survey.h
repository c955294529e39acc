// What the command does when nobody aims at anything: a few random schedules in which every candidate's accesses are watched, and every
// acquisition of a lock is listed. So a hundred directed runs are not spent on what is never executed, and a circle of
// locks, which names lines, becomes calls to aim at.
//
// Claim   What is called executed was. What is not may be in other schedules.
// Cost    kRuns runs per abi::kMaxTargets accesses.
#pragma once

#include <map>
#include <set>

#include "llvm/ADT/STLFunctionalExtras.h"

#include "confirm/campaign.h"
#include "finding/finding.h"

namespace deadheat::driver {

class Survey {
public:
  static constexpr unsigned kRuns = 3;

  // False: there was no time left. `targets` in any order, the same ones more than once, too. `memoryCalls`: calls of the library that
  // read or write memory are listed, too.
  Expected<bool> make(const std::vector<abi::Target> &targets, bool memoryCalls, const confirm::Runner &runner);

  bool directed() const { return directed_; }
  bool executed(const abi::Target &target) const { return executed_.contains(keyOf(target)); }
  // What the accesses of two sides came to in the same run; together also where no run had both.
  enum class Meeting { OneThread, Apart, Together }; // apart: different threads, never at one address
  Meeting meeting(const std::vector<abi::Target> &targets) const;
  // The kind of harm that every run came to; empty: not every run did.
  const std::string &usualHarm() const { return usualHarm_; }
  // Whether it has the exit status or signal that all runs had; true if these differ among themselves.
  bool endsAsUsual(const confirm::Outcome &outcome) const {
    return !sameEnds_ || (outcome.exit == exit_ && outcome.signal == signal_);
  }
  // What the directed process had loaded, in the first run.
  const std::vector<abi::ControlObject> &objects() const { return objects_; }

  // The acquisitions that were compiled from a line, in whatever it was inlined into or called by.
  std::vector<abi::Target> callsAt(const finding::Place &place, uint8_t side) const;

  // The calls of the library there that write memory, or read it.
  std::vector<abi::Target> memoryCallsAt(const finding::Place &place, uint8_t side, bool isWrite) const;
  // The same in functions of the library, which were compiled by themselves.
  std::vector<abi::Target> memoryCallsIn(const std::set<std::string> &functions, uint8_t side, bool isWrite) const;

private:
  struct Call {
    abi::Target target;
    std::vector<finding::Place> places; // of all frames inlined there
    std::string function = {};          // that was compiled
  };

  struct MemoryCall {
    Call call;
    uint64_t does = 0; // kReads, kWrites
  };

  Expected<bool> listCalls(bool memoryCalls, const confirm::Runner &runner);
  void keep(const confirm::Outcome &outcome);
  using IsWanted = llvm::function_ref<bool(const Call &)>;
  std::vector<abi::Target> memoryCalls(IsWanted isWanted, uint8_t side, bool isWrite) const;
  void take(const confirm::Outcome &outcome, const std::vector<abi::Target> &watched);
  void resolveCalls();
  class Resolver;

  using Key = std::pair<uint64_t, uint32_t>; // checksum, late
  static Key keyOf(const abi::Target &target) { return {target.checksum, target.late}; }

  std::map<Key, std::vector<abi::TargetCount>> executed_; // by run; of one without it, a count of 0
  std::set<std::vector<uint64_t>> seen_;                  // calls by their places
  std::map<std::pair<uint64_t, uint8_t>, Call> calls_;
  std::map<uint64_t, MemoryCall> memoryCalls_; // by place
  std::vector<abi::ControlObject> objects_;
  std::string usualHarm_;
  std::optional<int> exit_, signal_; // of the first run
  bool sameEnds_ = true;             // all others ended like it
  unsigned runs_ = 0;
  bool directed_ = false;
};

} // namespace deadheat::driver
