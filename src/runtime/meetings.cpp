#include "runtime/meetings.h"

#include <linux/mman.h>

namespace deadheat::runtime {
namespace {

constexpr U64 kPartsOfLone = 2;

} // namespace

void prepareMeetings(Context &process) {
  const abi::Sampler sampler = process.flags.sampler;
  if (process.flags.lone == 0 || (sampler != abi::Sampler::ThreadAdaptive && sampler != abi::Sampler::Compare)) return;
  process.meetings = static_cast<U8 *>(reserveBytes(kMeetingBytes));
  if (!process.meetings) return;
  systemCall(__NR_madvise, process.meetings, kMeetingBytes, MADV_DONTDUMP);
  systemCall(__NR_madvise, process.meetings, kMeetingBytes, MADV_NOHUGEPAGE);
}

// What is left out is work, and takes as long as two executions that are passed over in a loop (common_bursts.h).
bool leavesOutLone(Thread &self, SampleState &state, U32 access) {
  if (!context.meetings || self.depth == 0 || self.own->bursts[self.depth - 1] == Burst::Whole) return false;
  if (!MeetingTable{context.meetings}.isLone(access)) return false;
  if (++state.work % context.flags.lone == 0) return false;
  self.passedOver += kPartsOfLone;
  return true;
}

} // namespace deadheat::runtime
