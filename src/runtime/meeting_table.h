// The tables behind meetings.h: which lines of memory pass from thread to thread, and which accesses never touch such a line.
//
// Claim   An access meets another thread as it would miss in a cache: it reads a line that another wrote since anybody else read it, or
//         writes one that another wrote last, or has read since. It is lone after kLoneAfter notes in a row that met nobody.
// Cost    A byte for each line of the address space and one for each access, in memory that is there once it is used; a look at both, and a store where something changes.
// Misses  What was read before it was first written. Threads whose numbers are the same modulo kWriters, and accesses modulo kLoneCounts, are one.
//         Threads that note at the same time may lose a note.
#pragma once

#include "runtime/context.h"

namespace deadheat::runtime {

inline constexpr U64 kMeetingLine = 64;
inline constexpr U64 kMeetingLines = (abi::kAddressMask + 1) / kMeetingLine;
inline constexpr U64 kLoneCounts = 1 << 20;
inline constexpr U64 kMeetingBytes = kMeetingLines + kLoneCounts;
inline constexpr U8 kLoneAfter = 128;
inline constexpr U32 kWriters = 127;

struct MeetingTable {
  U8 *lines; // kMeetingLines, then kLoneCounts

  // A thread accesses a line. Whether it meets another.
  bool touch(U64 address, U32 number, bool writes) const;
  void touchRange(U64 address, U64 bytes, U32 number, bool writes) const;

  // Whether the access met another thread this time.
  void count(U32 access, bool meets) const;
  bool isLone(U32 access) const { return abi::loadRelaxed(countOf(access)) >= kLoneAfter; }

private:
  U8 &countOf(U32 access) const { return lines[kMeetingLines + access % kLoneCounts]; }
};

} // namespace deadheat::runtime
