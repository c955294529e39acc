// How a thread writes events into its ring.
//
// Claim   A signal whose handler is known (interpose/signals.cpp) waits until the event is written. Any other handler may
//         interrupt a writer at any instruction and write events of its own: none is torn, none is published half. A full ring waits for the reader as long as there is one. Then writing stops for good, and the
//         program goes on. Neither errno nor any lock of the program is touched.
// Assumes a handler that interrupts a writer lies deeper in the stack, or on a stack of its own below; and that longjmp
//         out of it clears the thread's `busy`.
// Cost    A reservation is one unlocked exchange-and-add, which no signal can split.
// Misses  Events of a handler that interrupted a writer and finds the ring full: the interrupted event bars the way for
//         the reader. They are counted.
#pragma once

#include "runtime/context.h"

#define SLOW_PATH __attribute__((preserve_most, noinline, cold))

namespace deadheat::runtime {

// More words than any one event and its pending frames and locks have; also the room that nested writers may take unasked.
inline constexpr U32 kMostWords = 32 + 4 * kMostPutOff + 4 * kMaxFrames;

// Makes the thread part of its process: false if it has no ring, or tells no more.
SLOW_PATH bool prepareThread(Thread &self);

// False: the words may not be written.
SLOW_PATH bool makeRoom(Thread &self, bool nested);

// The thread tells no more; its own memory is given back.
void closeThread(Thread &self);

// What handlers wrote, and signals that were to be handled, while the thread was busy.
SLOW_PATH void catchUp(Thread &self, U64 frame);

// One or several events, published together. Made on the stack of a hook or an interposer.
class Writer {
public:
  [[gnu::always_inline]] Writer(Thread &self, U64 frame) : self_(self), frame_(frame), nested_(self.busy > frame) {
    if (!nested_) self_.busy = frame_;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
  }
  [[gnu::always_inline]] ~Writer() {
    if (nested_) return;
    publish();
    if (abi::loadRelaxed(self_.next) != abi::loadRelaxed(self_.ring->head) || self_.deferred != 0) [[unlikely]]
      catchUp(self_, frame_);
  }
  Writer(const Writer &) = delete;
  Writer &operator=(const Writer &) = delete;

  // Ask before a stamp is taken: a stamp that is not told holds up the reader.
  [[gnu::always_inline]] bool hasRoom() { return self_.next + kMostWords <= self_.limit || makeRoom(self_, nested_); }

  template <typename... Words> [[gnu::always_inline]] void put(Words... words) {
    U64 at = reserve(self_.next, sizeof...(words));
    (store(at++, words), ...);
  }

  [[gnu::always_inline]] void event(abi::EventKind kind, U64 payload) { put(abi::eventWord(kind, payload)); }
  template <typename... Words> [[gnu::always_inline]] void event(abi::EventKind kind, U64 payload, Words... words) {
    static_assert(sizeof...(words) <= 4);
    put(abi::eventWord(kind, payload), static_cast<U64>(words)...);
  }

  Thread &self() { return self_; }
  bool nested() const { return nested_; }

private:
  // Not locked: it is the thread's own, but a signal comes before it or after it, never in the midst.
  [[gnu::always_inline]] static U64 reserve(U64 &next, U64 words) {
    asm volatile("xaddq %0, %1" : "+r"(words), "+m"(next) : : "memory", "cc");
    return words;
  }
  [[gnu::always_inline]] void store(U64 at, U64 word) {
    abi::storeRelaxed(self_.ring->words[at % abi::kRingWords], word);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
  }
  [[gnu::always_inline]] void publish() {
    abi::storeRelease(self_.ring->head, abi::loadRelaxed(self_.next));
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    self_.busy = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
  }

  Thread &self_;
  const U64 frame_;
  const bool nested_;
};

[[gnu::always_inline]] inline U64 thisFrame() { return reinterpret_cast<U64>(__builtin_frame_address(0)); }

// Whether the thread's state is that of the process and its objects as they are now.
[[gnu::always_inline]] inline bool isCurrent(const Thread &self) {
  return self.epoch == abi::loadRelaxed(context.page->epoch);
}

// For interposers: false where nothing is to be told. Requires an arena.
[[gnu::always_inline]] inline bool tells(Thread &self) {
  return (isCurrent(self) || prepareThread(self)) && self.ring && !self.ended;
}

} // namespace deadheat::runtime
