#include "runtime/marks.h"

#include <linux/fcntl.h>
#include <linux/mman.h>
#include <linux/stat.h>

#include "runtime/slots.h"

namespace deadheat::runtime {
namespace {

const abi::Mark *rows = nullptr;
U64 rowCount = 0;

void *mapWhole(long file, U64 &bytes) {
  struct statx status;
  if (isError(systemCall(__NR_statx, file, "", AT_EMPTY_PATH, STATX_SIZE, &status))) return nullptr;
  bytes = status.stx_size;
  if (bytes < sizeof(abi::MarksHeader)) return nullptr;
  const long memory = systemCall(__NR_mmap, nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0);
  return isError(memory) ? nullptr : reinterpret_cast<void *>(memory);
}

void apply(const abi::UnitNote &note, const abi::Mark &mark) {
  const bool isAccess = mark.kind == abi::MarkKind::Pruned;
  if (mark.slot >= (isAccess ? note.accessCount : note.functionCount)) return;
  auto *slots = reinterpret_cast<U8 *>(isAccess ? target(note.accesses) : target(note.functions));
  if (isAccess)
    abi::storeRelaxed(slots[mark.slot], abi::kSlotPruned);
  else
    addNote(&slots[mark.slot], SlotNote::Steered);
}

} // namespace

void openMarks(const char *path) {
  if (path[0] == 0) return;
  const long file = systemCall(__NR_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
  if (isError(file)) return;
  U64 bytes = 0;
  const auto *header = static_cast<const abi::MarksHeader *>(mapWhole(file, bytes));
  systemCall(__NR_close, file);
  if (!header || header->magic != abi::kMarksMagic) return;
  if (header->count != (bytes - sizeof(*header)) / sizeof(abi::Mark)) return;
  rows = reinterpret_cast<const abi::Mark *>(header + 1);
  rowCount = header->count;
}

void applyMarks(const abi::UnitNote &note) {
  const U64 checksum = static_cast<U64>(note.checksumHigh) << 32 | note.checksumLow;
  U64 first = 0;
  for (U64 end = rowCount; first != end;) {
    const U64 middle = first + (end - first) / 2;
    if (rows[middle].checksum < checksum)
      first = middle + 1;
    else
      end = middle;
  }
  for (; first != rowCount && rows[first].checksum == checksum; ++first) apply(note, rows[first]);
}

} // namespace deadheat::runtime
