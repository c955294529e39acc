// Threads as the C library knows them.
#pragma once

#include "runtime/interpose/interpose.h"

namespace deadheat::runtime {

inline U64 threadPointer() {
  U64 pointer;
  asm("movq %%fs:0, %0" : "=r"(pointer));
  return pointer;
}

// The runtime's memory of a thread that has begun and was not joined.
inline Thread &threadOf(U64 threadId) {
  const U64 offset = reinterpret_cast<U64>(&thread) - threadPointer();
  return *reinterpret_cast<Thread *>(threadId + offset);
}

// A thread that nobody was seen to create tells its first event: libc made it (a timer's, SIGEV_THREAD). Its stack was another's, and its end will
// be told. May be called in any signal handler.
void meetThread();

// Tells the End of this thread and gives its memory back.
void leaveThread(const Caller &caller);

} // namespace deadheat::runtime
