#include "analyse/domain/fields.h"

#include "gtest/gtest.h"

#include "analyse/test_world.h"

namespace deadheat::analyse {
namespace {

// A function that reads eight bytes at some places behind a pointer, in these words.
struct Reader {
  struct Read {
    int64_t offset;
    const char *path, *type, *field;
  };
  link::UnitBuilder unit{"a.cpp"};
  std::vector<model::SiteId> sites;

  explicit Reader(std::initializer_list<Read> reads) {
    unit.define("reader", 1, "void(ptr)");
    for (const Read &read : reads) {
      unit.load(v(unit.field(v(link::ValueId(0)), read.offset)));
      unit.named(read.path, read.type, read.field);
      sites.push_back(unit.lastSite());
    }
    unit.ret();
  }

  // Of the first two accesses.
  bool areApart() {
    link::TestProgram program(unit);
    Fields fields(*program);
    auto field = [&](size_t i) { return fields.of(link::UnitId(0), sites[i]); };
    return fields.areApart(field(0), field(1));
  }
};

TEST(Fields, OfOneTypeAreApart) {
  EXPECT_TRUE(Reader({{0, "x->a", "T", "a"}, {8, "x->b", "T", "b"}}).areApart());
  EXPECT_FALSE(Reader({{0, "x->a", "T", "a"}, {0, "y->a", "T", "a"}}).areApart());
}

TEST(Fields, AreApartThoughNobodyTellsWhereAnArrayLies) {
  EXPECT_TRUE(Reader({{0, "x->a", "T", "a"}, {16, "x->b[i]", "T", "b"}}).areApart());
}

TEST(Fields, OfAUnionMeet) {
  Reader reader({{0, "x->a", "T", "a"}, {0, "x->b", "T", "b"}});
  EXPECT_FALSE(reader.areApart());
}

TEST(Fields, OfAnInnerUnionMeet) {
  EXPECT_FALSE(Reader({{8, "x->u.a", "U", "a"}, {8, "x->u.b", "U", "b"}}).areApart());
}

TEST(Fields, BesideAUnionAreToldApartByTheirBytes) {
  EXPECT_TRUE(Reader({{0, "x->a", "T", "a"}, {16, "x->c", "T", "c"}, {0, "x->b", "T", "b"}}).areApart());
}

TEST(Fields, MeetWithPartsAtTheirBytesOnly) {
  EXPECT_FALSE(Reader({{16, "x->@16", "T", ""}, {16, "x->c", "T", "c"}}).areApart());
  EXPECT_TRUE(Reader({{16, "x->@16", "T", ""}, {24, "x->d", "T", "d"}}).areApart());
}

TEST(Fields, PartsOfWhatHasBasesAreNotKnown) {
  Reader reader({{16, "x->@16", "T", ""}, {24, "x->d", "T", "d"}});
  reader.unit.inherit("T", "Base");
  EXPECT_FALSE(reader.areApart());
}

} // namespace
} // namespace deadheat::analyse
