#include "runtime/meeting_table.h"

namespace deadheat::runtime {
namespace {

constexpr U8 kReadSince = 128; // by another thread than the one that wrote

U8 writerOf(U32 number) { return static_cast<U8>(number % kWriters + 1); }

void put(U8 &entry, U8 value) {
  if (abi::loadRelaxed(entry) != value) abi::storeRelaxed(entry, value);
}

} // namespace

bool MeetingTable::touch(U64 address, U32 number, bool writes) const {
  U8 &line = lines[(address & abi::kAddressMask) / kMeetingLine];
  const U8 before = abi::loadRelaxed(line), me = writerOf(number);
  if (writes) return put(line, me), before != 0 && before != me;
  if (before == 0 || before == me || (before & kReadSince) != 0) return false;
  return put(line, before | kReadSince), true;
}

void MeetingTable::touchRange(U64 address, U64 bytes, U32 number, bool writes) const {
  for (U64 at = address / kMeetingLine; at <= (address + bytes - 1) / kMeetingLine; ++at)
    touch(at * kMeetingLine, number, writes);
}

void MeetingTable::count(U32 access, bool meets) const {
  U8 &entry = countOf(access);
  const U8 before = abi::loadRelaxed(entry);
  put(entry, meets ? U8(0) : before < kLoneAfter ? static_cast<U8>(before + 1) : before);
}

} // namespace deadheat::runtime
