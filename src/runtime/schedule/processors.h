// On which processors threads run. Those that take turns stay on one: to wake a thread on another processor takes longer than all that it
// does until the next switch, and leveldb's db_bench needs half the time.
//
// Claim   What the program asks about its processors has the answer of before.
// Misses  Processes that are started without fork (posix_spawn, vfork) stay there, too.
#pragma once

#include "runtime/system.h"

namespace deadheat::runtime::schedule {

class Processors {
public:
  static constexpr U32 kMost = 1024;
  struct Set {
    U64 words[kMost / 64] = {};
    bool operator==(const Set &) const = default;
  };

  // For the calling thread, and those that it will create.
  void stayOn(U32 number) {
    if (number >= kMost || isError(systemCall(__NR_sched_getaffinity, 0, sizeof(Set), &all_))) return;
    one_ = {};
    one_.words[number / 64] = U64(1) << number % 64;
    stays_ = !isError(systemCall(__NR_sched_setaffinity, 0, sizeof(Set), &one_));
  }

  // A thread, by the kernel's number, or 0 for the calling one, may run anywhere, or is back.
  void free(U32 thread) const {
    if (stays_) systemCall(__NR_sched_setaffinity, thread, sizeof(Set), &all_);
  }
  void bind(U32 thread) const {
    if (stays_) systemCall(__NR_sched_setaffinity, thread, sizeof(Set), &one_);
  }

  // What a thread has that the program has not set: all that there were.
  bool areOurs(const Set &set) const { return stays_ && set == one_; }
  const Set &all() const { return all_; }

private:
  Set all_, one_;
  bool stays_ = false;
};

} // namespace deadheat::runtime::schedule
