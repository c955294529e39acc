// Loops that wait for an atomic: whoever leaves one comes after who has let it go.
//
// Ways of a spin lock that only look whether it is free, and those that try and fail, lead back; a way out that is not known
// to have tried (`ret = 0; if (!(l & busy)) ret = xadd(l)`) has all the same, or the loop would not wait.
//
// Claim   An edge is here if it leaves blocks that do nothing but read, compute, update one and the same atomic and pause (in assembly, or by
//         a call that sleeps or yields), and that lead back to that update.
// Cost    linear in blocks for each atomic update.
#pragma once

#include <map>
#include <utility>

#include "analyse/symbolic/atomic_steps.h"

namespace deadheat::analyse {

using SpinExits = std::map<std::pair<uint32_t, uint32_t>, AtomicStep>; // by block and next block: the update

SpinExits findSpinExits(const link::Program &program, const AtomicSteps &steps, link::FuncId function);

} // namespace deadheat::analyse
