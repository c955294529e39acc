// What a thread asks for now and another does later: handlers of signals, and threads that libc makes to give notice (SIGEV_THREAD).
#pragma once

#include "runtime/interpose/interpose.h"

namespace deadheat::runtime {

// What the thread did before is before what a handler of the signal does.
void tellSent(int signal, const Caller &caller);

// The thread is one of libc's own, and begins: it comes after all who asked for notice until now.
void tellNoticed(const Caller &caller);

} // namespace deadheat::runtime
