#include "analyse/race/buckets.h"

#include "gtest/gtest.h"

#include "analyse/test_world.h"

namespace deadheat::analyse {
namespace {

using link::UnitBuilder;

// A thread whose entry the test fills, started by main.
struct Worker {
  UnitBuilder unit{"a.c"};
  link::SymbolId shared = unit.variable("shared", 64);
  link::SymbolId entry;

  void begin() {
    entry = unit.define("worker", 1, "ptr(ptr)");
    unit.flag(entry, model::kAddressTaken);
  }
  Analysed end() {
    unit.ret(n(0));
    auto create = unit.declare("pthread_create", "i32(ptr,ptr,ptr,ptr)");
    unit.define("main", 0, "i32()");
    for (int i = 0; i < 2; ++i) unit.call(create, {v(unit.stack(8)), n(0), s(entry), n(0)});
    unit.ret();
    return Analysed(unit);
  }
  void storeNamed(int64_t offset, std::string_view type, std::string_view field) {
    unit.store(v(unit.field(s(shared), offset)), n(1));
    unit.named(field, type, field);
  }
};

Buckets bucketsOfAll(Analysed &analysed) {
  findTwins(*analysed.world);
  return bucketsOf(*analysed.world);
}

TEST(Buckets, LetTheFirstOfTwinsStandForAll) {
  Worker w;
  auto first = w.unit.define("first");
  w.unit.store(s(w.shared), n(1));
  w.unit.ret();
  auto second = w.unit.define("second");
  w.unit.store(s(w.shared), n(2));
  w.unit.ret();
  w.begin();
  w.unit.call(first, {});
  w.unit.call(second, {});
  Analysed analysed = w.end();
  Buckets buckets = bucketsOfAll(analysed);
  ASSERT_EQ(analysed.world->accesses.size(), 2u);
  EXPECT_EQ(analysed.world->twins[0], (std::vector<uint32_t>{0, 1}));
  EXPECT_TRUE(analysed.world->twins[1].empty());
  ASSERT_EQ(buckets.list.size(), 1u);
  EXPECT_EQ(buckets.list[0].first, std::vector<uint32_t>{0});
}

TEST(Buckets, KeepFieldsOfDifferentTypesApart) {
  Worker w;
  w.begin();
  w.storeNamed(0, "struct a", "x");
  w.storeNamed(8, "struct b", "y");
  Analysed analysed = w.end();
  Buckets buckets = bucketsOfAll(analysed);
  ASSERT_EQ(buckets.list.size(), 2u);
  for (const Bucket &bucket : buckets.list) {
    EXPECT_EQ(bucket.first.size(), 1u);
    EXPECT_TRUE(bucket.second.empty());
  }
  EXPECT_EQ(buckets.left, 0u);
}

TEST(Buckets, CompareWhatHasNoFieldWithEveryField) {
  Worker w;
  w.begin();
  w.storeNamed(0, "struct a", "x");
  w.unit.store(s(w.shared), n(1));
  Analysed analysed = w.end();
  Buckets buckets = bucketsOfAll(analysed);
  EXPECT_EQ(std::ranges::count_if(buckets.list, [](const Bucket &bucket) { return !bucket.second.empty(); }), 1);
}

TEST(Buckets, AreNotMadeOfReadsAlone) {
  Worker w;
  w.begin();
  w.unit.load(s(w.shared));
  Analysed analysed = w.end();
  EXPECT_EQ(analysed.world->accesses.size(), 1u);
  EXPECT_TRUE(bucketsOfAll(analysed).list.empty());
}

TEST(Buckets, PutThoseThatWriteFirst) {
  Worker w;
  w.begin();
  w.unit.load(s(w.shared));
  w.unit.store(s(w.shared), n(1));
  Analysed analysed = w.end();
  Buckets buckets = bucketsOfAll(analysed);
  ASSERT_EQ(buckets.list.size(), 1u);
  ASSERT_EQ(buckets.list[0].first.size(), 2u);
  EXPECT_TRUE(analysed.world->entryOf(analysed.world->accesses[buckets.list[0].first[0]]).traits.write);
}

} // namespace
} // namespace deadheat::analyse
