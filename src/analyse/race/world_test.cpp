#include "analyse/race/world.h"

#include "gtest/gtest.h"

#include "analyse/test_world.h"

namespace deadheat::analyse {
namespace {

using link::UnitBuilder;

using Entries = std::vector<link::SymbolId>;

// main starts so many threads, each with a function of its own, and those that `more` defines, and calls `after`.
struct Starters {
  UnitBuilder unit{"a.c"};
  explicit Starters(uint32_t count, Entries (*more)(UnitBuilder &) = nullptr) {
    auto counter = unit.variable("counter", 8);
    auto create = unit.declare("pthread_create", "i32(ptr,ptr,ptr,ptr)");
    Entries entries = more ? more(unit) : Entries();
    for (uint32_t i = 0; i < count; ++i) {
      entries.push_back(unit.define("worker" + std::to_string(i), 1, "ptr(ptr)"));
      unit.store(s(counter), n(1));
      unit.ret(n(0));
      unit.flag(entries.back(), model::kAddressTaken);
    }
    auto after = unit.define("after");
    unit.store(s(counter), n(2));
    unit.ret();
    unit.define("main", 0, "i32()");
    unit.call(after, {});
    for (link::SymbolId entry : entries) unit.call(create, {v(unit.stack(8)), n(0), s(entry), n(0)});
    unit.call(after, {});
    unit.ret();
  }
};

std::vector<uint32_t> livesAt(const Analysed &analysed, std::string_view function) {
  std::vector<uint32_t> counts;
  for (const WorldAccess &access : analysed.world->accesses)
    if (access.function == analysed.program.function(function))
      for (const Performer &performer : access.performers)
        counts.push_back(static_cast<uint32_t>(analysed.world->liveSets[performer.live].size()));
  std::ranges::sort(counts);
  return counts;
}

TEST(Crews, AreSinglesWhileThreadsAreFew) {
  Starters program(3);
  Analysed analysed(program.unit);
  EXPECT_EQ(analysed.world->crews.size(), 4u);
  for (const auto &[first, crew] : analysed.world->crews) EXPECT_EQ(crew, std::vector{first});
}

TEST(Crews, HoldAllThatAreAlikeWhenThreadsAreMany) {
  Starters program(kMaxCrews);
  Analysed analysed(program.unit);
  ASSERT_EQ(analysed.world->crews.size(), 2u);
  link::ThreadId first = analysed.world->crewOf[analysed.thread("worker7").value()];
  EXPECT_EQ(first, analysed.world->crewOf[analysed.thread("worker9").value()]);
  EXPECT_EQ(analysed.world->crews.at(first).size(), kMaxCrews);
  EXPECT_NE(first, analysed.world->crewOf[analysed.thread("main").value()]);
}

// Two threads get to `helper`; the second calls it itself.
Entries farAndNear(UnitBuilder &unit) {
  auto helper = unit.define("helper");
  unit.ret();
  auto between = unit.define("between");
  unit.call(helper, {});
  unit.ret();
  auto start = [&](const char *name, link::SymbolId callee) {
    auto entry = unit.define(name, 1, "ptr(ptr)");
    unit.call(callee, {});
    unit.ret(n(0));
    unit.flag(entry, model::kAddressTaken);
    return entry;
  };
  return {start("far", between), start("near", helper)};
}

TEST(Crews, AreNamedByTheOneThatIsNearest) {
  Starters program(kMaxCrews, farAndNear);
  Analysed analysed(program.unit);
  link::ThreadId near = analysed.thread("near");
  Performer performer{analysed.world->crewOf[near.value()]};
  EXPECT_EQ(performer.thread, analysed.world->crewOf[analysed.thread("far").value()]);
  EXPECT_EQ(threadAt(*analysed.world, performer, analysed.program.function("helper")), near);
}

TEST(Crews, OfOneAreToldApartByWhatHasBeenStarted) {
  Starters program(3);
  Analysed analysed(program.unit);
  EXPECT_EQ(livesAt(analysed, "after"), (std::vector<uint32_t>{0, 3}));
}

TEST(Crews, AreLiveAsSoonAsOneOfThemIs) {
  Starters program(kMaxCrews);
  Analysed analysed(program.unit);
  EXPECT_EQ(livesAt(analysed, "after"), (std::vector<uint32_t>{0, 1}));
}

} // namespace
} // namespace deadheat::analyse
