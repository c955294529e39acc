// Ways around a join: `if (t.joinable()) t.join();`, `if (started) pthread_join(...)`. And around the end of the program in the destructor
// of a std::thread that nobody has joined, where an exception leaves a function.
//
// Claim   Every edge that is returned leads past the join, and is chosen by a test of the handle, of something in the same
//         object as the handle, or, where the handle is a global, of another global.
// Assumes whoever asks before joining asks whether there is anything to join: past the join the thread is not there.
// Cost    linear in the function's statements, once for each join.
#pragma once

#include <optional>
#include <vector>

#include "link/call_graph.h"
#include "link/code.h"

namespace deadheat::link {

// Blocks are counted within the function.
struct SkippingEdge {
  uint32_t from = 0;
  uint32_t to = 0;
  bool operator==(const SkippingEdge &) const = default;
};

// `handle`: what the join gets.
std::vector<SkippingEdge> skippedJoin(const Code &code, const CallSite &join, model::Operand handle);

// A call that ends the program if a handle is set, only while an exception leaves the function.
struct Termination {
  SkippingEdge around;
  model::Operand handle; // its place
};
std::optional<Termination> terminationAt(const Code &code, const CallSite &end);

// Where a function asks whether the start of a thread failed, with a result that is not 0, the edges on which it did.
std::vector<SkippingEdge> failedStart(const Code &code, const CallSite &start);

} // namespace deadheat::link
