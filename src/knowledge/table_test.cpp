#include "knowledge/table.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

namespace deadheat::knowledge {
namespace {

bool isArgument(signed char column) { return column >= 0; }
bool isPlace(signed char column) { return column >= 0 || column == kResult; }

// What the sentence of an action promises that a row says.
std::string faultOf(const Row &row) {
  using enum Action;
  auto in = [&](std::initializer_list<Action> actions) { return std::ranges::count(actions, row.action) != 0; };
  bool leads = isArgument(row.entry) || (row.entryIs == Entry::Variable && row.through != nullptr);
  if (in({Acquire, Release, Downgrade, Initialise, Destroy}) && row.kind == Kind::None) return "no kind";
  if (in({Acquire, Release, Downgrade, Initialise, Destroy, ConditionWait, Signal, Broadcast, Post, Wait, Join, Detach,
          Allocate, Reallocate, Free, Once, ChooseKind}) &&
      !isPlace(row.object))
    return "no object";
  if (in({Once, Spawn, AtExit, AtThreadExit, Handler, Calls, Fulfil}) != leads)
    return "an entry, or none, where it should not be";
  if ((row.action == ConditionWait) != isArgument(row.lock)) return "a lock, or none, where it should not be";
  if (row.object == kResult && !in({Allocate, Initialise, Spawn})) return "acts on a result";
  if (row.has(kTry) && row.success == Success::Always) return "tries and cannot fail";
  if (row.has(kTimed) && row.success == Success::Always) return "gives up and cannot fail";
  if (row.secondEntry != kNone && !isArgument(row.entry)) return "a second entry without a first";
  if (row.has(kInterruptsOff | kBottomOff) && row.action != Acquire) return "puts interrupts off, takes nothing";
  if (row.has(kInterruptsOn | kBottomOn) && row.action != Release) return "puts interrupts on, gives nothing";
  return "";
}

TEST(Knowledge, EveryRowIsWellFormed) {
  for (const Row &row : kRows) EXPECT_EQ(faultOf(row), "") << row.name;
}

TEST(Knowledge, NoNameAppearsTwiceInOneKindOfProgram) {
  std::set<std::pair<bool, std::string>> seen;
  for (const Row &row : kRows)
    EXPECT_TRUE(seen.insert({isKernel(row.set), row.name + std::string(row.ending)}).second) << row.name;
}

TEST(Knowledge, EveryWayOfTakingALockHasAWayOfGivingItBack) {
  std::set<std::pair<Set, Kind>> given;
  for (const Row &row : kRows)
    if (row.action == Action::Release) given.insert({row.set, row.kind});
  for (const Row &row : kRows)
    if (row.action == Action::Acquire && row.set != Set::Cxx) // std::lock's mutexes are given back by pthreads
      EXPECT_TRUE(given.contains({row.set, row.kind})) << row.name;
}

TEST(Knowledge, SomeRowsAreAsTheirManualsSay) {
  Table table;
  const Row *wait = table.find("pthread_cond_timedwait");
  ASSERT_NE(wait, nullptr);
  EXPECT_EQ(wait->action, Action::ConditionWait);
  EXPECT_EQ(wait->lock, 1);
  const Row *create = table.find("pthread_create");
  ASSERT_NE(create, nullptr);
  EXPECT_EQ(create->entry, 2);
  EXPECT_EQ(create->argument, 3);
}

TEST(Table, NamesOfAKernelMeanNothingInAHostedProgram) {
  EXPECT_EQ(Table(Program::Hosted).find("mutex_lock"), nullptr);
  EXPECT_NE(Table(Program::Kernel).find("mutex_lock"), nullptr);
  EXPECT_EQ(Table(Program::Kernel).find("pthread_mutex_lock"), nullptr);
}

TEST(Table, APrefixStandsForTheNamesThatBeginSo) {
  Table table;
  const Row *lock = table.find("_ZSt4lockISt5mutexS0_JEEvRT_RT0_DpRT1_");
  ASSERT_NE(lock, nullptr);
  EXPECT_TRUE(lock->has(kEveryArgument));
  EXPECT_EQ(table.find("_ZSt4loc"), nullptr);
}

TEST(Table, AUsersRowReplacesABuiltInOne) {
  Table table;
  table.add("malloc", {.action = Action::Blocks});
  EXPECT_EQ(table.find("malloc")->action, Action::Blocks);
}

TEST(Table, AWholeNameWinsOverAPrefixAndALongerPrefixOverAShorter) {
  Table table;
  table.add("pool_*", {.action = Action::Blocks});
  table.add("pool_get*", {.action = Action::Allocate, .object = kResult});
  table.add("pool_getter", {.action = Action::NoReturn});
  EXPECT_EQ(table.find("pool_put")->action, Action::Blocks);
  EXPECT_EQ(table.find("pool_get_two")->action, Action::Allocate);
  EXPECT_EQ(table.find("pool_getter")->action, Action::NoReturn);
  EXPECT_EQ(table.find("poo"), nullptr);
}

TEST(Table, RowsStayValidWhenTheTableMoves) {
  Table first;
  for (int i = 0; i < 100; ++i) first.add("lock_" + std::to_string(i) + "*", {.action = Action::Blocks});
  Table second = std::move(first);
  EXPECT_EQ(std::string(second.find("lock_99x")->name), "lock_99");
}

} // namespace
} // namespace deadheat::knowledge
