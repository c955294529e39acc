// Calls through a variable that holds a function of the library:
//
//     static int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = pthread_create;
//     static struct hooks hooks = {malloc, free};
//
// Claim   A call through a variable, or a member of one, in which the program puts one function that the knowledge table has, and no other by
//         name, becomes a call of that function.
// Assumes what comes there otherwise (by a setter that nobody calls, from a plugin) does the same.
// Cost    linear in statements, if there is such a variable at all.
// Misses  members of records behind pointers; tables that are chosen from.
#pragma once

#include "link/code.h"

namespace deadheat::link {

// Names the callees in the units' calls. A unit that does not know the function's name gets a symbol for it.
void adoptKnownPointers(std::vector<model::LinkedUnit> &units, Symbols &symbols);

} // namespace deadheat::link
