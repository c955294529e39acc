// Tests that come again: `if (workers > 0) start(); ... if (workers > 0) finish(); else doAlone();`
//
// What was started where a test held is not there where the same value is tested once more and it does not hold.
//
// Claim   A flow that keeps apart what the tests have said, and takes no edge against it, misses no way.
// Assumes numbers are compared as signed everywhere, or as unsigned everywhere; a call that nobody knows writes no variable whose
//         address is not taken.
// Cost    linear in the function's statements, and blocks for each test; the flow: three times for each mode, at most kMaxModes.
// Misses  tests of members behind pointers, of two variables, switches; variables that others than main write, or whose address is
//         taken; tests in different functions.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "link/call_graph.h"
#include "link/code.h"
#include "link/thread_events.h"
#include "link/threads.h"

namespace deadheat::link {

// Variables that only main writes, and by their own name, and which functions may change them.
class ModeVariables {
public:
  // Those that are tested by functions that lead to a start and that main alone executes.
  ModeVariables(const Code &code, const CallGraph &calls, const Threads &threads, const ThreadEvents &events);

  bool contains(GlobalId variable) const { return changers_.contains(variable); }
  // By its own stores, or by what it calls.
  bool mayChange(FuncId function, GlobalId variable) const {
    return changers_.find(variable)->second[function.value()];
  }

private:
  std::map<GlobalId, std::vector<bool>> changers_; // [function]
};

// Of one function. Blocks are counted within it.
class Modes {
public:
  Modes() = default;
  // `isChange`: the statement starts or joins something. `variables`: null where others than main execute the function.
  Modes(const Code &code, const CallGraph &calls, FuncId function,
        const std::function<bool(model::StatementId)> &isChange, const ModeVariables *variables);

  // What the tests have said so far is a number below this; 0: nothing.
  uint32_t states() const { return states_; }
  // With what an edge is taken; none: it is not.
  std::optional<uint32_t> along(uint32_t state, uint32_t block, uint32_t edge) const;

private:
  static constexpr uint32_t kMaxModes = 3;

  // `value < number`, or `value == number`; what else there is says that one of these does not hold.
  struct Claim {
    uint32_t source = 0;
    bool isEqual = false;
    int64_t number = 0;
    bool operator==(const Claim &) const = default;
  };
  struct Test {
    Claim claim;
    bool onFirstEdge = false; // it holds there
  };
  struct Finder;

  static std::optional<bool> decides(const Claim &known, bool holds, const Claim &asked);
  static uint32_t digit(uint32_t state, uint32_t mode);
  static uint32_t with(uint32_t state, uint32_t mode, uint32_t digit);

  std::vector<Claim> modes_;
  std::map<uint32_t, Test> tests_;                // by block, of their sources alone
  std::map<uint32_t, std::set<uint32_t>> renews_; // by block: sources that may have another value behind it
  uint32_t states_ = 1;
};

} // namespace deadheat::link
