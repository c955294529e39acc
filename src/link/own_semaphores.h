// Semaphores and events that a program makes of a lock, a condition variable and a number:
//
//     down(s): lock(&s->lock); while (!s->value) wait(&s->cond, &s->lock); s->value--; unlock(&s->lock);
//     up(s):   lock(&s->lock); s->value++; signal(&s->cond); unlock(&s->lock);
//
// Claim   A function that gets a row waits on a condition until a member of what one of its parameters points to says something, and then
//         writes that member (Wait); or writes it and signals a condition (Post), if another function waits for it. Neither writes anything
//         but members of that parameter, nor calls anything but what is known to synchronise or has no body.
// Assumes what such a function writes to that member lets a waiting one through: what came before Post is before what follows Wait.
// Cost    linear in the statements of functions that wait on conditions or signal them.
// Misses  waits with a time limit or through functions of the program's own, C++ (`std::condition_variable::wait` with a lambda).
#pragma once

#include "link/code.h"
#include "link/symbols.h"

namespace deadheat::link {

// Sets Function::known of each.
void adoptSemaphores(const std::vector<model::LinkedUnit> &units, Symbols &symbols);

} // namespace deadheat::link
