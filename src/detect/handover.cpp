#include "detect/handover.h"

namespace deadheat::detect {

void Handover::read(Slot slot, LockId lock, uint64_t cell) {
  auto sections = locks_.find(lock);
  if (sections == locks_.end()) return;
  if (!sections->second.overflow.empty()) order_.take(slot, sections->second.overflow);
  if (auto writer = sections->second.writers.find(cell); writer != sections->second.writers.end())
    order_.take(slot, *writer->second);
}

void Handover::endSection(Slot slot, LockId lock, const SectionWrites &writes) {
  if (writes.empty()) return;
  Sections &sections = locks_[lock];
  auto given = std::make_shared<const Clock>(order_.give(slot));
  if (sections.writers.size() + writes.size() > kMaxCells) {
    for (const auto &[cell, clock] : sections.writers) sections.overflow.join(*clock);
    sections.overflow.join(*given);
    sections.writers.clear();
    return;
  }
  for (uint64_t cell : writes) sections.writers[cell] = given;
}

} // namespace deadheat::detect
