#include "detect/handover.h"

namespace deadheat::detect {
namespace {

// Those that are there are no longer told apart.
template <typename Map> void giveUp(Map &sections, Clock &all) {
  for (const auto &[cell, clock] : sections) all.join(*clock);
  sections.clear();
}

} // namespace

const Handover::Overtaken &Handover::overtaken(Slot slot) const {
  static const Overtaken kNone;
  return slot < overtaken_.size() ? overtaken_[slot] : kNone;
}

void Handover::overtake(Slot slot, const Clock &sections) {
  if (slot >= overtaken_.size()) overtaken_.resize(slot + 1);
  overtaken_[slot].version += overtaken_[slot].clock.join(sections);
}

void Handover::start(Slot slot) {
  if (slot >= overtaken_.size() || overtaken_[slot].clock.empty()) return;
  overtaken_[slot].clock.clear();
  ++overtaken_[slot].version;
}

void Handover::read(Slot slot, LockId lock, uint64_t cell) {
  auto sections = locks_.find(lock);
  if (sections == locks_.end()) return;
  if (!sections->second.allWriters.empty()) order_.take(slot, sections->second.allWriters);
  if (auto writer = sections->second.writers.find(cell); writer != sections->second.writers.end())
    order_.take(slot, *writer->second);
}

void Handover::write(Slot slot, LockId lock, uint64_t cell) {
  auto sections = locks_.find(lock);
  if (sections == locks_.end()) return;
  if (!sections->second.allReaders.empty()) overtake(slot, sections->second.allReaders);
  if (auto readers = sections->second.readers.find(cell); readers != sections->second.readers.end())
    overtake(slot, *readers->second);
}

void Handover::endSection(Slot slot, LockId lock, const SectionCells &cells) {
  if (cells.read.empty() && cells.written.empty()) return;
  Sections &sections = locks_[lock];
  auto given = std::make_shared<const Clock>(order_.give(slot));
  if (sections.writers.size() + cells.written.size() > kMaxCells) giveUp(sections.writers, sections.allWriters);
  if (sections.readers.size() + cells.read.size() > kMaxCells) giveUp(sections.readers, sections.allReaders);
  for (uint64_t cell : cells.written) {
    sections.writers[cell] = given;
    sections.readers.erase(cell);
  }
  for (uint64_t cell : cells.read) {
    auto &readers = sections.readers[cell];
    if (!readers) readers = std::make_shared<Clock>();
    readers->join(*given);
  }
}

} // namespace deadheat::detect
