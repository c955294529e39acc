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

// A function that fills some bytes behind a pointer, in these words, and then reads there.
struct Copier {
  Reader reader;
  model::SiteId copy;

  Copier(std::initializer_list<Reader::Read> reads, const char *path, const char *type, const char *field,
         uint32_t bytes)
      : reader(reads) {
    reader.unit.define("copier", 1, "void(ptr)");
    reader.unit.transfer(v(link::ValueId(0)), n(0), bytes);
    reader.unit.named(path, type, field);
    copy = reader.unit.lastSite();
    reader.unit.ret();
  }

  // The copy touches what is read first.
  bool meets() {
    link::TestProgram program(reader.unit);
    Fields fields(*program);
    uint32_t span = fields.touched(link::UnitId(0), copy), field = fields.of(link::UnitId(0), reader.sites[0]);
    EXPECT_TRUE(fields.isSpan(span));
    EXPECT_EQ(fields.of(link::UnitId(0), copy), 0u);
    return !fields.differ(field, span) && !fields.areApart(field, span);
  }
};

TEST(Fields, OfAStructAreTouchedWhereItIsCopied) {
  EXPECT_TRUE(Copier({{8, "x->b", "T", "b"}}, "*x", "T", "", 64).meets());
  EXPECT_FALSE(Copier({{8, "x->b", "U", "b"}, {8, "y->b", "T", "b"}}, "*y", "T", "", 64).meets());
}

TEST(Fields, AreTouchedByCopiesOfTheirBytesOnly) {
  EXPECT_TRUE(Copier({{32, "x->b", "T", "b"}}, "x->@24", "T", "", 16).meets());
  EXPECT_FALSE(Copier({{40, "x->b", "T", "b"}}, "x->@24", "T", "", 16).meets());
}

TEST(Fields, AreTouchedByCopiesOfTheMemberThatTheyLieIn) {
  EXPECT_TRUE(Copier({{8, "x->name[i]", "T", "name"}}, "x->name", "T", "name", 16).meets());
  EXPECT_TRUE(Copier({{8, "x->out.n", "T", "out.n"}}, "x->out", "T", "out", 16).meets());
  EXPECT_FALSE(Copier({{8, "x->owner[i]", "T", "owner"}}, "x->name", "T", "name", 16).meets());
}

TEST(Fields, OfAnInnerStructAreTouchedWhereTheOuterOneIsCopied) {
  std::initializer_list<Reader::Read> reads = {{8, "x->in.n", "U", "n"}, {0, "x->a", "T", "a"}};
  EXPECT_TRUE(Copier(reads, "*x", "T", "", 64).meets());
  EXPECT_TRUE(Copier(reads, "x->in", "T", "in", 16).meets());
  EXPECT_FALSE(Copier(reads, "x->name", "T", "name", 16).meets());
}

TEST(Fields, BehindAPointerAreNotInWhatHoldsIt) {
  EXPECT_FALSE(Copier({{8, "x->in->n", "U", "n"}, {0, "x->a", "T", "a"}}, "*x", "T", "", 64).meets());
  EXPECT_FALSE(Copier({{8, "x->in[i].n", "U", "n"}, {0, "x->in", "T", "in"}}, "*x", "T", "", 64).meets());
}

TEST(Fields, ConstructorsAndDestructorsAreNamedAfterTheirClass) {
  EXPECT_TRUE(isMakerOrBreaker("ns::Queue<int>::Queue(unsigned long)"));
  EXPECT_TRUE(isMakerOrBreaker("ns::Queue<int>::Queue<long>(long&&)"));
  EXPECT_TRUE(isMakerOrBreaker("ns::Queue<int>::~Queue()"));
  EXPECT_FALSE(isMakerOrBreaker("ns::Queue<int>::push(int)"));
  EXPECT_FALSE(isMakerOrBreaker("void Table<int>::_M_emplace<int&, int&>(int&, int&)"))
      << "arguments as long as the name";
  EXPECT_FALSE(isMakerOrBreaker("main"));
}

} // namespace
} // namespace deadheat::analyse
