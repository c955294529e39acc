// How a function of the C library is stood in front of.
//
// Claim   The result, errno, blocking and cancellation are those of the function behind. Where the process is not attached,
//         that function is all that runs. What happens in an order is told in that order: what lets others go on is
//         stamped before, what waited for others after.
#pragma once

#include "runtime/interpose/next.h"
#include "runtime/shadow.h"
#include "runtime/stamps.h"

// Defines `name` for the rest of the process under a C++ name of its own, since headers declare it in their own ways.
#define INTERPOSE(result, name, parameters)                                                                            \
  extern "C" __attribute__((visibility("default"))) result deadheat_##name parameters asm(#name);                      \
  result deadheat_##name parameters

#define NEXT(name) (reinterpret_cast<decltype(&::name)>(nextFunction(Symbol::name)))

// In an interposer: who called it.
#define CALLER                                                                                                         \
  Caller { thisFrame(), reinterpret_cast<U64>(__builtin_return_address(0)) }

// A function that makes or destroys the object that is its first parameter.
#define MAKE(kind, name, parameters, arguments, object)                                                                \
  INTERPOSE(int, name, parameters) {                                                                                   \
    const void *const made = const_cast<const void *>(static_cast<const volatile void *>(object));                     \
    if (isAttached()) tellMade({SyncKind::kind, made}, CALLER);                                                        \
    return NEXT(name) arguments;                                                                                       \
  }

namespace deadheat::runtime {

using abi::EventKind;
using abi::SyncKind;

struct Caller {
  U64 frame;
  U64 returns;
};

struct Sync {
  SyncKind kind;
  const void *object;
  U8 flags = 0;

  U64 payload() const { return abi::syncPayload(kind, flags); }
  U64 address() const { return reinterpret_cast<U64>(object); }
};

inline bool isAttached() { return context.arena != nullptr; }

// Each does nothing where the process is not attached or the thread tells nothing.
void tellAcquire(const Sync &sync, const Caller &caller);
void tellRelease(const Sync &sync, const Caller &caller);
void tellWant(const Sync &sync, const Caller &caller);
void tellSignal(const Sync &sync, const Caller &caller);
void tellWait(const Sync &sync, const Caller &caller);
void tellMade(const Sync &sync, const Caller &caller); // or destroyed
void tellBytes(bool written, const void *address, U64 bytes, const Caller &caller);

// Writes one event without a stamp.
template <typename... Words> void tellEvent(const Caller &caller, EventKind kind, U64 payload, Words... words) {
  Thread &self = thread;
  if (!isAttached() || !tells(self)) return;
  Writer writer(self, caller.frame);
  if (!writer.hasRoom()) return;
  tellFrames(writer, returnSlotOf(caller.frame));
  writer.event(kind, payload, words...);
}

} // namespace deadheat::runtime
