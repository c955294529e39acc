// Semaphores, events and locks that a program makes of a lock, a condition variable and numbers:
//
//     down(s):   lock(&s->lock); while (!s->value) wait(&s->cond, &s->lock); s->value--; unlock(&s->lock);
//     up(s):     lock(&s->lock); s->value++; signal(&s->cond); unlock(&s->lock);
//     enter(l):  lock(&l->lock); while (l->busy || l->readers) wait(&l->cond, &l->lock); l->busy = 1; unlock(&l->lock);
//     read(l):   lock(&l->lock); while (l->busy) wait(&l->cond, &l->lock); l->readers++; unlock(&l->lock);
//     again(r):  if (r->owner == self()) r->depth++; else { lock(&r->lock); r->owner = self(); r->depth = 1; }
//
// Claim   A function that gets a row waits on a condition until members of what one of its parameters points to say something, and then
//         writes one of these (Wait), or sets it to something but 0 (Acquire), or writes what those wait for who do that (Acquire, shared); or
//         writes what is waited for and signals a condition (Post, Release). Neither writes anything but members of that parameter, nor calls
//         anything but what is known to synchronise or has no body. Of a lock that may be taken again one function takes a lock of its parameter
//         unless it asks who it is and finds that it has it, and another one, which writes the same count, gives it back on one way.
// Assumes what such a function writes to that member lets a waiting one through: what came before Post is before what follows Wait.
// Cost    linear in the statements of functions that wait on conditions, signal them, or take locks.
// Misses  waits with a time limit or through functions of the program's own.
#pragma once

#include "link/code.h"
#include "link/symbols.h"

namespace deadheat::link {

// Sets Function::known of each.
void adoptSemaphores(const std::vector<model::LinkedUnit> &units, Symbols &symbols);

} // namespace deadheat::link
