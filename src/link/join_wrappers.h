// Functions that join for their caller the thread whose handle they get: `thread_join(id)`, `wait_for(&id)`.
//
// Claim   Every way from the entry of such a function to a return passes the join, and what is joined is a parameter, or
//         what a parameter points to.
// Assumes copies are in registers, as wrappers.h does.
// Cost    linear in the statements of functions that join.
#pragma once

#include <deque>
#include <vector>

#include "knowledge/sync_api.h"
#include "link/call_graph.h"
#include "link/code.h"

namespace deadheat::link {

// [function]: as a row of the table would say it, kept in `rows`; null: none.
std::vector<const knowledge::Row *> findJoinWrappers(const Code &code, const Lists<FuncId, FuncId> &callers,
                                                     std::deque<knowledge::Row> &rows);

} // namespace deadheat::link
