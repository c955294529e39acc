#include "runtime/touched_table.h"

namespace deadheat::runtime {
namespace {

constexpr U64 kBits = 64; // in a word of the table

bool exchange(U64 &entry, U64 from, U64 to) {
  return __atomic_compare_exchange_n(&entry, &from, to, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

// Calls `visit` with each word of the table and those of its bits that the bytes have, as long as it returns true.
template <typename Visit> bool forEachWord(const TouchedTable &table, U64 address, U64 bytes, Visit visit) {
  const U64 first = (address & abi::kAddressMask) / kWordBytes;
  const U64 last = ((address + (bytes == 0 ? 0 : bytes - 1)) & abi::kAddressMask) / kWordBytes;
  for (U64 at = first / kBits; at <= last / kBits; ++at) {
    const U64 low = at == first / kBits ? first % kBits : 0;
    const U64 high = at == last / kBits ? last % kBits : kBits - 1;
    if (!visit(table.bits[at], (~U64(0) >> (kBits - 1 - high)) & (~U64(0) << low))) return false;
  }
  return true;
}

bool isLarge(U64 bytes) { return bytes > kMostBytes; }

// Whatever lies between any two large ranges counts as touched.
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
  forEachWord(*this, address, bytes, [](U64 &word, U64 mask) {
    if ((abi::loadRelaxed(word) & mask) != mask) __atomic_fetch_or(&word, mask, __ATOMIC_RELAXED);
    return true;
  });
}

bool TouchedTable::has(U64 address, U64 bytes) const {
  if (isLarge(bytes) || meets(large, address, bytes)) return true;
  return !forEachWord(*this, address, bytes,
                      [](const U64 &word, U64 mask) { return (abi::loadRelaxed(word) & mask) == 0; });
}

void TouchedTable::clear(U64 address, U64 bytes) const {
  if (isLarge(bytes)) return;
  forEachWord(*this, address, bytes, [](U64 &word, U64 mask) {
    if ((abi::loadRelaxed(word) & mask) != 0) __atomic_fetch_and(&word, ~mask, __ATOMIC_RELAXED);
    return true;
  });
}

} // namespace deadheat::runtime
