// std::thread(f): the thread begins in the library, in code that all functions of f's type share, and that calls f through a
// pointer. Points-to has one place for all those pointers, so each such thread would execute all such functions.
//
// Claim   The function that is stored into the record which this call hands over, if there is one, and the code that the
//         thread begins in calls it, beside others; and what its first parameter gets, where the record tells.
// Assumes the record is made by the caller and by nobody else: library wrappers were inlined into it. It is a tuple as
//         libstdc++ has it: arguments come last to first, before the function.
// Misses  functions that come through parameters and containers: `threads.emplace_back(f)`.
#pragma once

#include "link/call_graph.h"
#include "link/code.h"

namespace deadheat::link {

// The function in the row `slot` bytes into the vtable of the record, if the caller tells which vtable that is. Invalid: it does not.
FuncId entryOfRecord(const Code &code, const CallGraph &graph, CallSiteId start, int record, uint32_t slot);

struct Chosen {
  FuncId function;              // invalid: there is none, or no need to tell
  model::Operand argument = {}; // of the caller: what parameter 0 gets; none: not known
};

// `entry`: where the thread that the call at `start` makes begins; `record`: the argument that points to the pointer to the record.
Chosen chosenEntry(const Code &code, const CallGraph &graph, CallSiteId start, FuncId entry, int record);

} // namespace deadheat::link
