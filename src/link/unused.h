// Library code that was inlined into all who called it: its own copy is there, and nobody executes it.
//
// Claim   A function of a system header whose address nobody takes, and that no other function calls but such as it, has no body any more. What
//         it would make, start and hand on is no object, thread or pointer of the program.
// Assumes whoever uses the header has a copy of its own: the functions of headers are inline or templates.
// Cost    linear in statements.
#pragma once

#include "link/code.h"

namespace deadheat::link {

void leaveOutUnused(const std::vector<model::LinkedUnit> &units, Symbols &symbols);

} // namespace deadheat::link
