// Functions that do nothing but call pthread_once or its like for their caller: uv_once, call_init_once.
//
// Claim   a function that gets a row calls once with its own parameters on every way through it that returns, and does nothing
//         else that matters: its calls are calls of once, with guard and function that the caller gave.
// Misses  wrappers that keep their parameters in memory, or do more.
#pragma once

#include <deque>

#include "link/code.h"
#include "link/symbols.h"

namespace deadheat::link {

// Sets Function::known of each to a row in the list, which must outlive the symbols.
std::deque<knowledge::Row> adoptOnceWrappers(const std::vector<model::LinkedUnit> &units, Symbols &symbols);

} // namespace deadheat::link
