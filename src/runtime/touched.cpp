#include "runtime/touched.h"

#include <linux/mman.h>

#include "runtime/repeats.h"

namespace deadheat::runtime {
namespace {

TouchedTable table() { return {context.touched, context.page->large}; }

} // namespace

void prepareTouched(Context &process) {
  if (!leavesOutRepeats()) return;
  process.touched = static_cast<U64 *>(reserveBytes(kTouchedBytes));
  if (!process.touched) return;
  systemCall(__NR_madvise, process.touched, kTouchedBytes, MADV_DONTDUMP);
  systemCall(__NR_madvise, process.touched, kTouchedBytes, MADV_NOHUGEPAGE);
}

void noteTouchedWords(U64 address, U64 bytes) { table().note(address, bytes); }

bool wereWordsTouched(U64 address, U64 bytes) { return table().has(address, bytes); }

void clearTouched(U64 address, U64 bytes) {
  if (context.touched) table().clear(address, bytes);
}

} // namespace deadheat::runtime
