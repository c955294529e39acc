#include "detect/happens_before.h"

#include "llvm/ADT/STLExtras.h"

namespace deadheat::detect {

void HappensBefore::apply(const MemoryAccess &access) {
  uint64_t end = access.address + access.bytes;
  if (access.operation == Operation::Access) {
    Tick now = (*access.clock)[access.slot];
    for (uint64_t at = access.address & ~(kCellBytes - 1); at < end; at += kCellBytes)
      touch(shadow_.cell(at), at, access, now);
    return;
  }
  forget(access, end);
  // A use after the free races with it if nothing orders them. Large blocks go back to the system, which may map anything
  // there without telling.
  if (access.operation == Operation::Free && access.bytes <= kPartBytes) {
    MemoryAccess write = access;
    write.operation = Operation::Access;
    apply(write);
  }
}

void HappensBefore::forget(const MemoryAccess &access, uint64_t end) {
  shadow_.forget(access.address, end, [&](Cell &cell, uint64_t at) {
    uint8_t mask = maskOf(at, access.address, end);
    if (access.operation == Operation::Free) report(cell, at, mask, access);
    for (Entry &entry : cell) entry.mask &= ~mask;
    llvm::erase_if(cell, [](const Entry &entry) { return entry.mask == 0; });
  });
}

void HappensBefore::report(const Cell &cell, uint64_t address, uint8_t mask, const MemoryAccess &access) {
  for (const Entry &entry : cell)
    if ((entry.mask & mask) != 0 && entry.slot != access.slot && entry.tick > (*access.clock)[entry.slot] &&
        conflict(entry.touch, access.touch))
      races_.add(entry, access, address);
}

void HappensBefore::touch(Cell &cell, uint64_t address, const MemoryAccess &access, Tick now) {
  uint8_t mask = maskOf(address, access.address, access.address + access.bytes);
  for (const Entry &entry : cell)
    if (entry.slot == access.slot && entry.tick == now && covers(entry.touch, access.touch) &&
        (mask & ~entry.mask) == 0)
      return; // it stands for this one already; what came in between was compared with it
  report(cell, address, mask, access);
  for (Entry &entry : cell)
    if (covers(access.touch, entry.touch) && (entry.slot == access.slot || entry.tick <= (*access.clock)[entry.slot]))
      entry.mask &= ~mask;
  llvm::erase_if(cell, [](const Entry &entry) { return entry.mask == 0; });
  cell.push_back({now, access.slot, mask, access.touch, access.access, access.where});
}

} // namespace deadheat::detect
