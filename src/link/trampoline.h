// Threads that begin in a helper, which calls the function that the creator chose: `start(f, x)` puts both into a record
// and starts `run(record)`, which calls `record->f(record->x)`. Or the function is all there is: `run(f)` calls `f()`.
//
// Claim   The function at hand starts a thread that calls its parameter `entry`, with its parameter `argument` (kNone: not
//         known) as the parameter `parameter` of that function.
// Assumes a helper that calls in a loop, writes a variable of the program or is long works itself: it is the entry, then.
// Misses  what a short helper does beside the call: it is nobody's entry.
#pragma once

#include <optional>

#include "knowledge/sync_api.h"
#include "link/code.h"
#include "link/definitions.h"

namespace deadheat::link {

struct Trampoline {
  signed char entry = knowledge::kNone;
  signed char argument = knowledge::kNone;
  unsigned char parameter = 0;
};

// `call`: of `creator`, which `row` says starts a thread.
std::optional<Trampoline> findTrampoline(const Code &code, FuncId creator, const Definitions &definitions,
                                         const model::Call &call, const knowledge::Row &row);

} // namespace deadheat::link
