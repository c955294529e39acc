// How long a thread may run without a step before it is taken to wait for others in a loop that tells nothing (a lock in assembly, a
// library's own spinning), in nanoseconds of its own time.
//
// Who waits goes on soon after others run; who computes goes on when it is done, whatever others do. So each guess is judged by what the
// thread still needed after it: less than half of what it had used speaks for waiting, and the next guess comes earlier. A program that
// waits so a thousand times is then led almost as fast as one whose waits are known; one that computes is left alone for longer.
//
// Claim   Between kShortest and kLongest, whatever happens.
// Misses  Nothing that decides: when a thread left the game is recorded, like any return.
#pragma once

#include "abi/types.h"

namespace deadheat::runtime::schedule {

class SpinPatience {
public:
  static constexpr abi::U64 kShortest = 1000000, kFirst = 20000000, kLongest = 80000000;

  constexpr SpinPatience() = default;
  constexpr explicit SpinPatience(abi::U64 learned) : now_(bounded(learned)) {}

  constexpr abi::U64 now() const { return now_; }

  // Guesses were right lately.
  constexpr bool isSure() const { return now_ < kFirst; }

  // A thread that was sent out for spinning is back, and used so much time of its own since.
  constexpr void judge(abi::U64 usedSince) { now_ = bounded(usedSince * 2 < now_ ? now_ / 2 : now_ * 2); }

private:
  static constexpr abi::U64 bounded(abi::U64 time) {
    return time < kShortest ? kShortest : time > kLongest ? kLongest : time;
  }

  abi::U64 now_ = kFirst;
};

} // namespace deadheat::runtime::schedule
