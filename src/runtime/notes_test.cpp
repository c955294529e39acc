#include "runtime/notes.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace deadheat::runtime {
namespace {

constexpr U64 kNoteSize = sizeof(Elf64_Nhdr) + 12 + sizeof(abi::UnitNote);

// An object in memory: a table, some slots, and two notes with a stranger's note between them.
struct Object {
  abi::HookTable table = {};
  char slots[64] = {};
  struct Note {
    Elf64_Nhdr header = {sizeof(abi::kNoteName), sizeof(abi::UnitNote), abi::kNoteType};
    char name[12] = "Deadheat";
    abi::UnitNote unit = {abi::kAbiVersion, 0, 0, 0, 0, 0, 0, 0};
  };
  Note first;
  Elf64_Nhdr stranger = {4, 5, 3};
  char strangersBytes[12] = "GNU";
  Note second;
};
static_assert(sizeof(Object::Note) == kNoteSize && offsetof(Object, second) == offsetof(Object, stranger) + 24);

class Notes : public testing::Test {
protected:
  void SetUp() override {
    describe(object.first.unit, 8, 4, 40, 5);
    describe(object.second.unit, 12, 10, 45, 2);
    headers[0] = {PT_LOAD, PF_R | PF_W, 0, 0, 0, sizeof(object), sizeof(object), 16};
    headers[1] = {PT_NOTE, PF_R, 0, offsetof(Object, first), 0, kNoteBytes, kNoteBytes, 4};
  }

  I32 toSlot(const I32 &field, U32 slot) const {
    return static_cast<I32>(object.slots + slot - reinterpret_cast<const char *>(&field));
  }

  void describe(abi::UnitNote &unit, U32 access, U32 accesses, U32 function, U32 functions) {
    unit.table = static_cast<I32>(reinterpret_cast<char *>(&object.table) - reinterpret_cast<char *>(&unit.table));
    unit.accesses = toSlot(unit.accesses, access);
    unit.accessCount = accesses;
    unit.functions = toSlot(unit.functions, function);
    unit.functionCount = functions;
  }

  Image image() const { return {reinterpret_cast<U64>(&object), headers, 2}; }
  U64 slot(U32 index) const { return reinterpret_cast<U64>(object.slots) + index; }

  static constexpr U64 kNoteBytes = sizeof(Object) - offsetof(Object, first);
  Object object;
  Elf64_Phdr headers[2] = {};
};

TEST_F(Notes, CoverTheSlotsOfAllUnits) {
  const NoteSummary summary = summarise(image());
  EXPECT_EQ(summary.units, 2u);
  EXPECT_EQ(summary.accesses.first, slot(8));
  EXPECT_EQ(summary.accesses.count(), 14u);
  EXPECT_EQ(summary.functions.first, slot(40));
  EXPECT_EQ(summary.functions.count(), 7u);
}

TEST_F(Notes, OfAnotherVersionAreToldApart) {
  object.second.unit.abiVersion = abi::kAbiVersion + 1;
  const NoteSummary summary = summarise(image());
  EXPECT_EQ(summary.units, 1u);
  EXPECT_EQ(summary.otherVersions, 1u);
}

TEST_F(Notes, ThatPointOutsideTheObjectAreNotBelieved) {
  object.first.unit.accessCount = 1000000;
  object.second.unit.table = 0x10000000;
  EXPECT_EQ(summarise(image()).accesses.first, slot(12));
  EXPECT_EQ(tableOf(image(), object.second.unit), nullptr);
  EXPECT_EQ(tableOf(image(), object.first.unit), &object.table);
}

TEST_F(Notes, InMemoryThatCannotBeWrittenHaveNoTable) {
  headers[0].p_flags = PF_R;
  EXPECT_EQ(tableOf(image(), object.first.unit), nullptr);
}

TEST_F(Notes, AreReadToTheEndOfTheSegmentOnly) {
  for (U64 bytes = 0; bytes <= kNoteBytes; ++bytes) {
    headers[1].p_memsz = bytes;
    EXPECT_EQ(summarise(image()).units, (bytes >= kNoteSize) + (bytes >= kNoteSize + 24 + kNoteSize)) << bytes;
  }
}

TEST_F(Notes, OfRandomBytesLeadNowhere) {
  std::mt19937 random(1);
  for (int round = 0; round != 10000; ++round) {
    Object copy = object;
    const U64 at = offsetof(Object, first) + random() % kNoteBytes;
    reinterpret_cast<unsigned char *>(&object)[at] = static_cast<unsigned char>(random());
    const NoteSummary summary = summarise(image());
    for (const SlotSpan &span : {summary.accesses, summary.functions}) {
      if (span.count() == 0) continue;
      EXPECT_GE(span.first, reinterpret_cast<U64>(&object));
      EXPECT_LE(span.end, reinterpret_cast<U64>(&object + 1));
    }
    std::memcpy(static_cast<void *>(&object), &copy, sizeof(object));
  }
}

} // namespace
} // namespace deadheat::runtime
