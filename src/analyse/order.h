// In which order functions are summarised, and which calls use the summaries of their callees.
//
// Calls through pointers tie most of a large program into one component of thousands of functions that all call each other,
// as far as points-to knows: the summary of each would have to hold what all of them do. Such a component is cut at calls
// through pointers, the ones with most targets first, until it falls apart.
//
// Claim   Callees of a followed call come before their caller, or are in its component. Components of up to kMaxComponent
//         functions are never cut.
// Misses  At a call that is not followed, what its targets do to locks and memory; what they access is kept under the names
//         that points-to has for their parameters (`blind`).
// Cost    near-linear, a few times.
#pragma once

#include <vector>

#include "link/program.h"

namespace deadheat::analyse {

inline constexpr size_t kMaxComponent = 128;

struct CallOrder {
  std::vector<std::vector<link::FuncId>> components; // callees first
  std::vector<uint32_t> componentOf;                 // [function]
  std::vector<bool> recursive;                       // [component]
  std::vector<bool> followed;                        // [call site]
  std::vector<bool> blind;                           // [function]: reached by a call that is not followed
  uint32_t cut = 0;                                  // calls that are not followed
};

CallOrder orderCalls(const link::Program &program);

} // namespace deadheat::analyse
