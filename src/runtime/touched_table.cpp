#include "runtime/touched_table.h"

namespace deadheat::runtime {
namespace {

// An entry holds the line that was touched, and in its first byte which of the line's words were; 0: none; all ones: several
// lines, for good. Blocks share lines, never words: what one block's new life forgets must stay known of its neighbour.
constexpr U64 kSeveral = ~U64(0);
constexpr U32 kWordsShift = 56;
constexpr U64 kLineMask = (U64(1) << kWordsShift) - 1;
constexpr U64 kWordBytes = 8;
constexpr U64 kSpread = 0x9e3779b97f4a7c15;

bool exchange(U64 &entry, U64 from, U64 to) {
  return __atomic_compare_exchange_n(&entry, &from, to, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

bool isOf(U64 entry, U64 line) { return entry != 0 && entry != kSeveral && (entry & kLineMask) == line; }

void noteLine(U64 &entry, U64 line, U64 words) {
  while (true) {
    const U64 now = abi::loadRelaxed(entry);
    const U64 next = now == 0 || isOf(now, line) ? now | line | words : kSeveral;
    if (now == next || exchange(entry, now, next)) return;
  }
}

void clearLine(U64 &entry, U64 line, U64 words) {
  const U64 now = abi::loadRelaxed(entry);
  if (!isOf(now, line)) return;
  const U64 left = now & ~words;
  exchange(entry, now, left >> kWordsShift == 0 ? 0 : left); // if it fails, somebody touches it
}

bool isTouched(U64 entry, U64 line, U64 words) {
  return entry == kSeveral || (isOf(entry, line) && (entry & words) != 0);
}

// Calls `visit` with the entry of each line, the line, and the words of it that the bytes lie in, as long as it returns true.
template <typename Visit> bool forEachLine(const TouchedTable &table, U64 address, U64 bytes, Visit visit) {
  const U64 end = address + (bytes == 0 ? 1 : bytes);
  for (U64 line = address / kLineBytes; line * kLineBytes < end; ++line) {
    const U64 start = line * kLineBytes;
    const U64 first = address > start ? (address - start) / kWordBytes : 0;
    const U64 last = end < start + kLineBytes ? (end - 1 - start) / kWordBytes : kLineBytes / kWordBytes - 1;
    const U64 words = ((U64(2) << last) - 1) & ~((U64(1) << first) - 1);
    if (!visit(table.entries[line * kSpread >> (64 - kTouchedBits)], line, words << kWordsShift)) return false;
  }
  return true;
}

bool isLarge(U64 bytes) { return bytes > kMostLines * kLineBytes; }

// Large ranges would fill the table: whatever lies between any two of them counts as touched.
void noteLarge(TouchedRange &range, U64 address, U64 bytes) {
  for (U64 low = abi::loadRelaxed(range.low); (low == 0 || address < low) && !exchange(range.low, low, address);)
    low = abi::loadRelaxed(range.low);
  const U64 end = address + bytes;
  for (U64 high = abi::loadRelaxed(range.high); end > high && !exchange(range.high, high, end);)
    high = abi::loadRelaxed(range.high);
}

bool meets(const TouchedRange &range, U64 address, U64 bytes) {
  return address < abi::loadRelaxed(range.high) && address + bytes > abi::loadRelaxed(range.low);
}

} // namespace

void TouchedTable::note(U64 address, U64 bytes) const {
  if (isLarge(bytes)) return noteLarge(large, address, bytes);
  forEachLine(*this, address, bytes,
              [](U64 &entry, U64 line, U64 words) { return noteLine(entry, line, words), true; });
}

bool TouchedTable::has(U64 address, U64 bytes) const {
  if (isLarge(bytes) || meets(large, address, bytes)) return true;
  return !forEachLine(*this, address, bytes, [](const U64 &entry, U64 line, U64 words) {
    return !isTouched(abi::loadRelaxed(entry), line, words);
  });
}

void TouchedTable::clear(U64 address, U64 bytes) const {
  if (isLarge(bytes)) return;
  forEachLine(*this, address, bytes,
              [](U64 &entry, U64 line, U64 words) { return clearLine(entry, line, words), true; });
}

} // namespace deadheat::runtime
