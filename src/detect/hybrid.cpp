#include "detect/hybrid.h"

#include "llvm/ADT/STLExtras.h"

namespace deadheat::detect {

void Hybrid::apply(const MemoryAccess &access) {
  uint64_t end = access.address + access.bytes;
  if (access.operation == Operation::Access) {
    for (uint64_t at = access.address & ~(kCellBytes - 1); at < end; at += kCellBytes)
      touch(shadow_.cell(at), at, access);
    return;
  }
  // Locks say nothing about who frees a block: whoever does was told that no one uses it any more.
  shadow_.forget(access.address, end, [&](Cell &cell, uint64_t at) {
    uint8_t mask = maskOf(at, access.address, end);
    for (Entry &entry : cell) entry.mask &= ~mask;
    llvm::erase_if(cell, [](const Entry &entry) { return entry.mask == 0; });
  });
}

void Hybrid::report(const Cell &cell, uint64_t address, uint8_t mask, const MemoryAccess &access) {
  for (const Remembered &entry : cell)
    if ((entry.mask & mask) != 0 && entry.slot != access.slot && conflict(entry.touch, access.touch) &&
        entry.tick > (*access.hard)[entry.slot] &&
        locks_.disjoint(places_[entry.where].locks, places_[access.where].locks))
      races_.add(entry, access, address, isOver(entry, access));
}

bool Hybrid::isOver(const Remembered &entry, const MemoryAccess &access) const {
  const bool inSection = !locks_[places_[entry.where].locks].empty();
  return entry.handed <= (*access.handed)[entry.slot] || (inSection && entry.handed <= (*access.overtaken)[entry.slot]);
}

bool Hybrid::standsFor(const Remembered &entry, const MemoryAccess &access, uint8_t mask) const {
  return entry.slot == access.slot && entry.tick == (*access.hard)[access.slot] &&
         entry.handed == (*access.handed)[access.slot] && covers(entry.touch, access.touch) &&
         (mask & ~entry.mask) == 0 && locks_.contains(places_[access.where].locks, places_[entry.where].locks);
}

// Whoever will race with the entry will race with the access too. A later access of another thread stands for an older
// one only if hard order has them so: whoever comes after it then comes after both.
bool Hybrid::outdated(const Entry &entry, const MemoryAccess &access) const {
  bool before = entry.slot == access.slot || entry.tick <= (*access.hard)[entry.slot];
  return before && covers(access.touch, entry.touch) &&
         locks_.contains(places_[entry.where].locks, places_[access.where].locks);
}

void Hybrid::touch(Cell &cell, uint64_t address, const MemoryAccess &access) {
  uint8_t mask = maskOf(address, access.address, access.address + access.bytes);
  report(cell, address, mask, access);
  for (const Remembered &entry : cell)
    if (standsFor(entry, access, mask)) return;
  for (Entry &entry : cell)
    if (outdated(entry, access)) entry.mask &= ~mask;
  llvm::erase_if(cell, [](const Entry &entry) { return entry.mask == 0; });
  if (cell.size() == kMaxEntries) {
    cell.erase(cell.begin());
    ++forgotten_;
  }
  Tick now = (*access.hard)[access.slot], handed = (*access.handed)[access.slot];
  cell.push_back({{now, access.slot, mask, access.touch, access.access, access.where}, handed});
}

} // namespace deadheat::detect
