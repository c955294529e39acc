// What a thread of many was started with and no other was: its argument, what that owns, and the elements of arrays to which it has pointers.
//
// Claim   isFromOwnArgument: each thread that the loop in its creator starts has another one. areOwnElements: the two threads are started at one
//         place, in a loop, and each reaches the element whose address the loop has put into what it was started with, and no other
//         pointer into that array (link/threads.h: elements).
// Assumes the loop gives no element twice: likely, so it demotes.
// Cost    linear in the name.
// Misses  elements that a thread reaches by way of two pointers that are not its own.
#pragma once

#include "analyse/race/pairs.h"

namespace deadheat::analyse {

bool isFromOwnArgument(const World &world, NodeId node);
// One start in a loop; the library may have two for it, one of which makes room.
bool areOfOneStart(const World &world, link::ThreadId a, link::ThreadId b);
bool areOwnElements(const World &world, const Meeting &meeting, const WorldAccess &a, const WorldAccess &b);

} // namespace deadheat::analyse
