// Which accesses meet memory that other threads use, of what a sampled run tells: of the others few are told later on.
//
// Of a function's first burst in a thread all is told, as LiteRace has it, and of functions that are steered to (marks.h). In its later ones, and in those that threads begin together (common_bursts.h), most
// accesses are to memory of the thread's own, or that nobody writes, and telling them finds nothing. Once so many of them were told that met nobody
// (meeting_table.h), one execution in `lone` is told, until one meets another thread again.
//
// Claim   Nothing is left out of those; of each access in others, one execution in `lone` of a thread is not.
// Assumes what an access met when it was told is what it will meet.
// Differs from LiteRace, which tells all accesses of a call that it samples; lone=0 is its way.
// Cost    Of a told access, what the table costs.
// Misses  Where threads share so much memory that two told accesses seldom are of one line, its accesses look lone.
#pragma once

#include "runtime/meeting_table.h"

namespace deadheat::runtime {

// Maps the table where the run has a use for it; without one no access is lone.
void prepareMeetings(Context &process);

// An access is told.
inline void noteMeeting(const Thread &self, U64 address, U32 access, bool writes) {
  if (!context.meetings) return;
  const MeetingTable table{context.meetings};
  table.count(access, table.touch(address, self.number, writes));
}

// Others are: of ranges, of library functions, of atomic operations.
inline void noteMeetings(const Thread &self, U64 address, U64 bytes, bool writes) {
  if (context.meetings && bytes != 0) MeetingTable{context.meetings}.touchRange(address, bytes, self.number, writes);
}

// Whether this execution in a told call is left out. `state` is that of the access in this thread.
bool leavesOutLone(Thread &self, SampleState &state, U32 access);

} // namespace deadheat::runtime
