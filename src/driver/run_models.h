// The models of the files that a run executed, arranged so that a slot leads to its late access.
//
// Claim   A slot leads to the late access that was compiled into it, or nowhere. The note of a unit says which slots are the
//         unit's and, by checksum, which model speaks of them.
// Cost    One reading per file, taken when the file is first seen: a test suite may delete it soon after.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "driver/run_arena.h"
#include "model/frame.h"
#include "support/error.h"

namespace deadheat::driver {

// Models by the checksum of their frames. The units stay where they are.
class ModelPool {
public:
  // All frames in `bytes`; `source` names them in errors. Bytes that were added before cost a checksum.
  Expected<void> add(std::span<const uint8_t> bytes, const std::string &source);
  // All model files below a directory.
  Expected<void> addDirectory(const std::string &directory);
  const model::Unit *find(uint64_t checksum) const;

private:
  void add(std::vector<model::LinkedUnit> units);

  std::map<uint64_t, std::unique_ptr<model::Unit>> units_;
  std::set<uint64_t> added_; // checksums
};

// Slots of one unit in an object, counted from the object's first slot of that sort.
enum class SlotSort { Accesses, Functions };
struct UnitSlots {
  uint64_t first = 0;
  uint64_t count = 0;
  uint64_t checksum = 0;
};

// What the notes in a section say, by first slot; units without slots are left out.
Expected<std::vector<UnitSlots>> readNotes(std::span<const uint8_t> section, const std::string &source,
                                           SlotSort sort = SlotSort::Accesses);

struct LatePlace {
  const model::Unit *unit = nullptr; // null: no model speaks of this slot
  model::LateId late;
};

struct FunctionPlace {
  const model::Unit *unit = nullptr; // null: no model speaks of this slot
  model::FunctionId function;
};

// A file as it was when its first process ran.
struct ObjectImage {
  RunObject object;
  std::vector<uint8_t> models;
  std::vector<uint8_t> notes;
  std::string missing; // it is not there any more; empty: it is
  std::string damaged; // it is there and cannot be read; empty: it can
};

ObjectImage readImage(RunObject object);

class ObjectModel {
public:
  static Expected<ObjectModel> load(const ObjectImage &image, ModelPool &pool);

  LatePlace find(uint64_t slot) const;
  FunctionPlace findFunction(uint64_t slot) const;
  std::vector<const model::Unit *> units() const; // by first slot

private:
  struct Part {
    UnitSlots slots;
    const model::Unit *unit;
  };
  Expected<void> addFunctions(const ObjectImage &image, const ModelPool &pool);

  std::vector<Part> parts_;     // by first access slot
  std::vector<Part> functions_; // by first function slot
};

} // namespace deadheat::driver
