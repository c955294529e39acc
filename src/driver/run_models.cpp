#include "driver/run_models.h"

#include <algorithm>
#include <cstring>

#include <elf.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"

#include "abi/note.h"
#include "driver/load_models.h"
#include "symbol/elf.h"

namespace deadheat::driver {
namespace {

constexpr char kBuildAgain[] = "build it again with deadheat-cc";

abi::FileIdentity identify(const std::string &path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0) return {};
  return {static_cast<uint64_t>(major(status.st_dev)) << 32 | minor(status.st_dev), status.st_ino,
          static_cast<uint64_t>(status.st_mtim.tv_sec) * 1000000000 + status.st_mtim.tv_nsec};
}

struct ElfNote {
  Elf64_Nhdr header;
  char name[12];
  abi::UnitNote unit;
};
static_assert(sizeof(ElfNote) == sizeof(Elf64_Nhdr) + 12 + sizeof(abi::UnitNote));

bool isOurs(const ElfNote &note) {
  return note.header.n_namesz == sizeof(abi::kNoteName) && note.header.n_descsz == sizeof(abi::UnitNote) &&
         note.header.n_type == abi::kNoteType && std::memcmp(note.name, abi::kNoteName, sizeof(abi::kNoteName)) == 0;
}

} // namespace

void ModelPool::add(std::vector<model::LinkedUnit> units) {
  for (model::LinkedUnit &linked : units)
    units_.try_emplace(linked.checksum, std::make_unique<model::Unit>(std::move(linked.unit)));
}

Expected<void> ModelPool::add(std::span<const uint8_t> bytes, const std::string &source) {
  const uint64_t checksum = llvm::xxh3_64bits(llvm::ArrayRef<uint8_t>(bytes.data(), bytes.size()));
  if (added_.contains(checksum)) return {};
  auto units = model::decodeFrames(bytes, source);
  if (!units) return std::unexpected(units.error());
  add(std::move(*units));
  added_.insert(checksum);
  return {};
}

Expected<void> ModelPool::addDirectory(const std::string &directory) {
  auto units = loadModels(directory);
  if (!units) return std::unexpected(units.error());
  add(std::move(*units));
  return {};
}

const model::Unit *ModelPool::find(uint64_t checksum) const {
  auto found = units_.find(checksum);
  return found == units_.end() ? nullptr : found->second.get();
}

// The offsets in a note are relative to its fields, so they are places in the section plus something that is the same
// for all; the object's first slot, which the runtime knows by the same notes, tells what that is.
Expected<std::vector<UnitSlots>> readNotes(std::span<const uint8_t> section, const std::string &source, SlotSort sort) {
  bool accesses = sort == SlotSort::Accesses;
  size_t fieldOffset = accesses ? offsetof(abi::UnitNote, accesses) : offsetof(abi::UnitNote, functions);
  std::vector<UnitSlots> units;
  for (size_t at = 0; at != section.size(); at += sizeof(ElfNote)) {
    ElfNote note;
    if (section.size() - at < sizeof(note)) return fail(source + ": its notes are truncated", kBuildAgain);
    std::memcpy(&note, section.data() + at, sizeof(note));
    if (!isOurs(note)) return fail(source + ": its notes are damaged", kBuildAgain);
    uint64_t field = at + offsetof(ElfNote, unit) + fieldOffset;
    uint64_t checksum = static_cast<uint64_t>(note.unit.checksumHigh) << 32 | note.unit.checksumLow;
    uint32_t count = accesses ? note.unit.accessCount : note.unit.functionCount;
    int64_t offset = accesses ? note.unit.accesses : note.unit.functions;
    if (count != 0) units.push_back({field + offset, count, checksum});
  }
  llvm::sort(units, [](const UnitSlots &left, const UnitSlots &right) {
    return static_cast<int64_t>(left.first) < static_cast<int64_t>(right.first);
  });
  uint64_t origin = units.empty() ? 0 : units.front().first;
  for (UnitSlots &unit : units) unit.first -= origin;
  return units;
}

ObjectImage readImage(RunObject object) {
  ObjectImage image{std::move(object), {}, {}, {}, {}};
  const std::string &path = image.object.path;
  if (identify(path) != image.object.file) {
    image.missing = path + " was removed or replaced while it ran";
    return image;
  }
  auto models = symbol::readSection(path, model::kSectionName);
  auto notes = symbol::readSection(path, abi::kNoteSection);
  if (models && notes) {
    image.models = std::move(*models);
    image.notes = std::move(*notes);
  } else {
    image.damaged = (models ? notes : models).error().text();
  }
  return image;
}

Expected<ObjectModel> ObjectModel::load(const ObjectImage &image, ModelPool &pool) {
  const std::string &path = image.object.path;
  if (!image.models.empty())
    if (auto added = pool.add(image.models, path); !added) return std::unexpected(added.error());
  auto slots = readNotes(image.notes, path);
  if (!slots) return std::unexpected(slots.error());
  ObjectModel result;
  for (const UnitSlots &unit : *slots) {
    const model::Unit *found = pool.find(unit.checksum);
    if (!found && image.models.empty())
      return fail(path + ": it has no section " + model::kSectionName + ": it was stripped",
                  "run it before it is stripped, or name the models with --model-dir");
    if (!found || found->late.size() != unit.count)
      return fail(path + ": a model does not fit the code that it came with", kBuildAgain);
    result.parts_.push_back({unit, found});
  }
  if (auto added = result.addFunctions(image, pool); !added) return std::unexpected(added.error());
  return result;
}

// Functions only lend their names to stacks: those of a unit that was not found stay without.
Expected<void> ObjectModel::addFunctions(const ObjectImage &image, const ModelPool &pool) {
  auto slots = readNotes(image.notes, image.object.path, SlotSort::Functions);
  if (!slots) return std::unexpected(slots.error());
  for (const UnitSlots &unit : *slots)
    if (const model::Unit *found = pool.find(unit.checksum); found && found->functionSlots.size() == unit.count)
      functions_.push_back({unit, found});
  return {};
}

template <typename Parts> static auto findPart(const Parts &parts, uint64_t slot) {
  auto after = std::ranges::upper_bound(parts, slot, {}, [](const auto &part) { return part.slots.first; });
  if (after == parts.begin()) return parts.end();
  auto part = std::prev(after);
  return slot - part->slots.first < part->slots.count ? part : parts.end();
}

LatePlace ObjectModel::find(uint64_t slot) const {
  auto part = findPart(parts_, slot);
  if (part == parts_.end()) return {};
  return {part->unit, model::LateId(static_cast<uint32_t>(slot - part->slots.first))};
}

FunctionPlace ObjectModel::findFunction(uint64_t slot) const {
  auto part = findPart(functions_, slot);
  if (part == functions_.end()) return {};
  return {part->unit, part->unit->functionSlots[slot - part->slots.first]};
}

std::vector<const model::Unit *> ObjectModel::units() const {
  std::vector<const model::Unit *> all;
  for (const Part &part : parts_) all.push_back(part.unit);
  return all;
}

} // namespace deadheat::driver
