#include "runtime/notes.h"

namespace deadheat::runtime {
namespace {

U64 roundUp(U64 value, U64 alignment) { return (value + alignment - 1) & ~(alignment - 1); }

bool isOurs(const Elf64_Nhdr &header, const char *name) {
  if (header.n_namesz != sizeof(abi::kNoteName) || header.n_type != abi::kNoteType ||
      header.n_descsz < sizeof(abi::UnitNote))
    return false;
  for (U64 index = 0; index != sizeof(abi::kNoteName); ++index)
    if (name[index] != abi::kNoteName[index]) return false;
  return true;
}

bool isInside(const Image &image, U64 address, U64 bytes, U32 permissions) {
  for (U32 index = 0; index != image.headerCount; ++index) {
    const Elf64_Phdr &header = image.headers[index];
    const U64 offset = address - image.bias - header.p_vaddr;
    if (header.p_type == PT_LOAD && (header.p_flags & permissions) == permissions && offset <= header.p_memsz &&
        bytes <= header.p_memsz - offset)
      return true;
  }
  return false;
}

void visitSegment(const Image &image, const Elf64_Phdr &segment, NoteVisitor visit, void *state) {
  const U64 alignment = segment.p_align == 8 ? 8 : 4;
  const char *at = reinterpret_cast<const char *>(image.bias + segment.p_vaddr);
  U64 left = segment.p_memsz;
  while (left >= sizeof(Elf64_Nhdr)) {
    const auto &header = *reinterpret_cast<const Elf64_Nhdr *>(at);
    const U64 description = roundUp(sizeof(header) + header.n_namesz, alignment);
    const U64 size = roundUp(description + header.n_descsz, alignment);
    if (description + header.n_descsz > left) return;
    if (isOurs(header, at + sizeof(header)))
      visit(state, image, *reinterpret_cast<const abi::UnitNote *>(at + description));
    left -= size < left ? size : left;
    at += size;
  }
}

void addSlots(SlotSpan &span, const Image &image, U64 first, U64 count) {
  if (count == 0 || !isInside(image, first, count, PF_R)) return;
  span.first = first < span.first ? first : span.first;
  span.end = first + count > span.end ? first + count : span.end;
}

void addNote(void *state, const Image &image, const abi::UnitNote &note) {
  auto &summary = *static_cast<NoteSummary *>(state);
  if (note.abiVersion != abi::kAbiVersion) {
    ++summary.otherVersions;
    return;
  }
  ++summary.units;
  addSlots(summary.accesses, image, target(note.accesses), note.accessCount);
  addSlots(summary.functions, image, target(note.functions), note.functionCount);
}

} // namespace

void forEachNote(const Image &image, NoteVisitor visit, void *state) {
  for (U32 index = 0; index != image.headerCount; ++index)
    if (image.headers[index].p_type == PT_NOTE) visitSegment(image, image.headers[index], visit, state);
}

NoteSummary summarise(const Image &image) {
  NoteSummary summary;
  forEachNote(image, addNote, &summary);
  return summary;
}

abi::HookTable *tableOf(const Image &image, const abi::UnitNote &note) {
  const U64 table = target(note.table);
  const bool usable = table % alignof(abi::HookTable) == 0 && isInside(image, table, sizeof(abi::HookTable), PF_W);
  return usable ? reinterpret_cast<abi::HookTable *>(table) : nullptr;
}

} // namespace deadheat::runtime
