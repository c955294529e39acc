#include "driver/run_models.h"

#include <gtest/gtest.h>

#include <cstring>

#include "abi/note.h"

namespace deadheat::driver {
namespace {

constexpr size_t kNoteSize = 24 + sizeof(abi::UnitNote);

// A section of notes as it lies in a file, for slots that lie kDistance bytes behind the section's begin.
class NoteSection {
public:
  static constexpr int64_t kDistance = 0x4000;

  NoteSection &add(uint32_t firstSlot, uint32_t count, uint64_t checksum) {
    size_t field = bytes.size() + 24 + offsetof(abi::UnitNote, accesses);
    abi::UnitNote unit = {};
    unit.accesses = static_cast<abi::I32>(kDistance + firstSlot - static_cast<int64_t>(field));
    unit.accessCount = count;
    unit.checksumLow = static_cast<uint32_t>(checksum);
    unit.checksumHigh = static_cast<uint32_t>(checksum >> 32);
    const uint32_t header[] = {sizeof(abi::kNoteName), sizeof(unit), abi::kNoteType};
    append(header, sizeof(header));
    append("Deadheat\0\0\0", 12);
    append(&unit, sizeof(unit));
    return *this;
  }

  std::vector<uint8_t> bytes;

private:
  void append(const void *from, size_t size) {
    auto *begin = static_cast<const uint8_t *>(from);
    bytes.insert(bytes.end(), begin, begin + size);
  }
};

TEST(Notes, GiveSlotsCountedFromTheFirstOfTheObject) {
  NoteSection section;
  section.add(100, 5, 0x1111111122222222).add(90, 10, 7).add(0, 0, 9).add(105, 1, 8);
  auto units = readNotes(section.bytes, "x");
  ASSERT_TRUE(units);
  ASSERT_EQ(units->size(), 3u);
  EXPECT_EQ((*units)[0].first, 0u);
  EXPECT_EQ((*units)[0].checksum, 7u);
  EXPECT_EQ((*units)[1].first, 10u);
  EXPECT_EQ((*units)[1].count, 5u);
  EXPECT_EQ((*units)[1].checksum, 0x1111111122222222u);
  EXPECT_EQ((*units)[2].first, 15u);
}

TEST(Notes, CutAnywhereAreAnError) {
  NoteSection section;
  section.add(0, 5, 1).add(5, 5, 2);
  for (size_t size = 1; size < section.bytes.size(); ++size) {
    auto units = readNotes(std::span(section.bytes).first(size), "x");
    EXPECT_EQ(units.has_value(), size == kNoteSize) << size;
  }
}

TEST(Notes, OfStrangersAreAnError) {
  NoteSection section;
  section.add(0, 5, 1);
  section.bytes[12] = 'd';
  EXPECT_FALSE(readNotes(section.bytes, "x"));
}

// Two units in one object, of different lengths and checksums.
class Models : public testing::Test {
protected:
  static std::string frame(const std::string &source, uint32_t lateAccesses) {
    model::Unit unit;
    unit.source = source;
    model::Function function;
    function.name = function.display = unit.strings.intern(source);
    function.file = unit.strings.intern(source);
    model::FunctionId owner = unit.functions.add(function);
    for (uint32_t count = 0; count != lateAccesses; ++count) unit.late.add({.function = owner});
    return model::encodeFrame(unit);
  }

  void SetUp() override {
    const std::string one = frame("one.c", 3), two = frame("two.c", 4);
    image.object = {.path = "object", .slotCount = 7};
    for (const std::string &part : {one, two}) image.models.insert(image.models.end(), part.begin(), part.end());
    image.notes = NoteSection().add(0, 3, model::checksumOf(one)).add(3, 4, model::checksumOf(two)).bytes;
  }

  ObjectImage image;
  ModelPool pool;
};

TEST_F(Models, LeadFromASlotToItsLateAccess) {
  auto models = ObjectModel::load(image, pool);
  ASSERT_TRUE(models) << models.error().text();
  for (uint32_t slot = 0; slot != 7; ++slot) {
    LatePlace place = models->find(slot);
    ASSERT_NE(place.unit, nullptr);
    EXPECT_EQ(place.unit->source, slot < 3 ? "one.c" : "two.c");
    EXPECT_EQ(place.late.value(), slot < 3 ? slot : slot - 3);
  }
  EXPECT_EQ(models->find(7).unit, nullptr);
}

TEST_F(Models, MayComeFromAnotherPlaceThanTheObject) {
  ASSERT_TRUE(pool.add(image.models, "models"));
  image.models.clear();
  EXPECT_TRUE(ObjectModel::load(image, pool));
}

TEST_F(Models, ThatWereStrippedAreAnError) {
  image.models.clear();
  auto models = ObjectModel::load(image, pool);
  ASSERT_FALSE(models);
  EXPECT_NE(models.error().text().find("stripped"), std::string::npos);
}

TEST_F(Models, ThatSpeakOfOtherCodeAreAnError) {
  image.notes = NoteSection().add(0, 3, 12345).bytes;
  EXPECT_FALSE(ObjectModel::load(image, pool));
  image.notes = NoteSection().add(0, 2, model::checksumOf(frame("one.c", 3))).bytes;
  EXPECT_FALSE(ObjectModel::load(image, pool));
}

} // namespace
} // namespace deadheat::driver
