// What --explain prints of a function: its lock summary and its guarded accesses, as in RELAY's Fig. 1, and why pairs of
// them were reported or not.
#pragma once

#include <string>

#include "analyse/rank/reach.h"

namespace deadheat::analyse {

std::string explainFunction(const World &world, Reach &reach, link::FuncId function);

} // namespace deadheat::analyse
