// The kernel without a C library: hooks run inside the user's malloc, signal handlers and half-built processes, where
// errno, locks and lazy binding are not ours to touch. A result from -4095 to -1 is an error number.
#pragma once

#include <asm/unistd.h>

#include "abi/types.h"

namespace deadheat::runtime {

using abi::I32;
using abi::U32;
using abi::U64;
using abi::U8;

#if !defined(__x86_64__)
#error "the runtime knows the system calls of x86-64 only"
#endif

template <typename... Arguments> long systemCall(long number, Arguments... arguments) {
  static_assert(sizeof...(arguments) <= 6);
  const long all[6] = {(long)arguments...};
  register long r10 asm("r10") = all[3];
  register long r8 asm("r8") = all[4];
  register long r9 asm("r9") = all[5];
  long result;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(all[0]), "S"(all[1]), "d"(all[2]), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}

inline bool isError(long result) { return result < 0 && result > -4096; }

// Of address space that was asked for here, whoever asked (interpose/limits.cpp).
inline constinit U64 mappedBytes = 0;

// Zeros, that take memory when they are written. Null where there is no room.
inline void *reserveBytes(U64 bytes) {
  constexpr int kReadWrite = 3, kPrivateAnonymousUnreserved = 0x4022; // linux/mman.h
  const long memory = systemCall(__NR_mmap, nullptr, bytes, kReadWrite, kPrivateAnonymousUnreserved, -1, 0);
  if (isError(memory)) return nullptr;
  __atomic_fetch_add(&mappedBytes, bytes, __ATOMIC_RELAXED);
  return reinterpret_cast<void *>(memory);
}

inline void releaseBytes(void *memory, U64 bytes) {
  systemCall(__NR_munmap, memory, bytes);
  __atomic_fetch_sub(&mappedBytes, bytes, __ATOMIC_RELAXED);
}

inline U64 textLength(const char *text) {
  U64 length = 0;
  while (text[length] != 0) ++length;
  return length;
}

// One write, so that lines of many processes do not mix.
template <typename... Parts> void complain(Parts... parts) {
  char line[512];
  U64 length = 0;
  auto append = [&](const char *text) {
    for (; *text != 0 && length + 1 < sizeof(line); ++text) line[length++] = *text;
  };
  append("deadheat: ");
  (append(parts), ...);
  line[length++] = '\n';
  systemCall(__NR_write, 2, line, length);
}

} // namespace deadheat::runtime
