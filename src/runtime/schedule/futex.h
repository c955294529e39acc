// Waiting for a word to change.
#pragma once

#include <linux/futex.h>

#include "runtime/system.h"

namespace deadheat::runtime::schedule {

inline void futexWait(U32 &word, U32 value, const long *timeout) {
  systemCall(__NR_futex, &word, FUTEX_WAIT_PRIVATE, value, timeout, nullptr, 0);
}
inline void futexWake(U32 &word) { systemCall(__NR_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0); }

} // namespace deadheat::runtime::schedule
