#include "runtime/touched.h"

#include <linux/mman.h>

#include "runtime/repeats.h"

namespace deadheat::runtime {
namespace {

// An entry holds the line that was touched; 0: none; all ones: several, for good.
constexpr U64 kSeveral = ~U64(0);

U64 &entryOf(U64 line) { return context.touched[line * 0x9e3779b97f4a7c15 >> (64 - kTouchedBits)]; }

bool exchange(U64 &entry, U64 from, U64 to) {
  return __atomic_compare_exchange_n(&entry, &from, to, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

void noteLine(U64 line) {
  U64 &entry = entryOf(line);
  for (U64 now = abi::loadRelaxed(entry); now != line && now != kSeveral; now = abi::loadRelaxed(entry))
    if (exchange(entry, now, now == 0 ? line : kSeveral)) return;
}

struct Lines {
  U64 first;
  U64 end;
};

Lines linesOf(U64 address, U64 bytes) {
  const U64 first = address / kLineBytes, end = (address + bytes + kLineBytes - 1) / kLineBytes;
  return {first, end - first > kMostLines ? first + kMostLines : end};
}

} // namespace

void prepareTouched(Context &process) {
  if (!leavesOutRepeats()) return;
  const long memory = systemCall(__NR_mmap, nullptr, sizeof(U64) << kTouchedBits, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  process.touched = isError(memory) ? nullptr : reinterpret_cast<U64 *>(memory);
}

void noteTouchedLines(U64 address, U64 bytes) {
  for (auto [line, end] = linesOf(address, bytes); line != end; ++line) noteLine(line);
}

bool wasTouched(U64 address, U64 bytes) {
  if (!context.touched || bytes > kMostLines * kLineBytes) return true;
  for (auto [line, end] = linesOf(address, bytes); line != end; ++line)
    if (const U64 entry = abi::loadRelaxed(entryOf(line)); entry == line || entry == kSeveral) return true;
  return false;
}

void clearTouched(U64 address, U64 bytes) {
  if (!context.touched) return;
  for (auto [line, end] = linesOf(address, bytes); line != end; ++line)
    if (abi::loadRelaxed(entryOf(line)) == line) exchange(entryOf(line), line, 0);
}

} // namespace deadheat::runtime
