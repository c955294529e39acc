// Two threads that take turns by what they tell: rings of one producer and one consumer (symbolic/turns.cpp).
//
// Claim   takeTurns: each side has compared a number that the other one moves on behind its access, and not before it without having looked
//         at an atomic since; nobody else moves these numbers, and neither thread has two instances.
// Assumes who compares the numbers accesses only what it may by them. That is likely, not certain: this demotes.
// Cost    per pair of two threads that hold such a number, the order of the access and what tells.
#pragma once

#include "analyse/filter/signals.h"
#include "analyse/race/candidate.h"

namespace deadheat::analyse {

bool takeTurns(const World &world, Signals &signals, const Candidate &candidate);

} // namespace deadheat::analyse
