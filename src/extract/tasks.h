// Tasks of futures as plain calls: std::async and std::packaged_task put what they execute into a std::function and that into a call
// of std::call_once, which finds it again in a thread-local variable. What the task was given would have no name behind all that.
//
// Claim   The function that makes such a std::function calls the task itself instead, before it sets the result.
// Assumes libstdc++: _S_task_setter(result, task), and a _Task_setter that calls the task. That a task is executed once is the library's
//         business, not the program's: no lock and no order of the program's comes from it.
// Misses  Tasks that return what does not fit into registers: the library keeps that. Other libraries' futures: libc++'s call the task directly.
#pragma once

#include "llvm/IR/Function.h"

namespace deadheat::extract {

void callTasks(llvm::Function &function);

} // namespace deadheat::extract
