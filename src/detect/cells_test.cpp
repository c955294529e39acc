// What two threads do to the cells of the same bytes at the same time (abi/cells.h).
#include "abi/cells.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace deadheat {
namespace {

using abi::Cell;
using abi::U32;

constexpr abi::U64 kWhole = abi::kBytesMask | abi::kPlain | abi::kWrites;

struct Group {
  alignas(16) std::array<Cell, abi::kCells> cells{};
  std::array<U32, abi::kCells> spots{};

  operator abi::CellGroup() { return {cells.data(), spots.data()}; }
};

// A thread that has one block. What it meets is noted; of others it knows the pieces below `before`.
struct Eyes {
  U32 block;
  std::atomic<bool> &met;
  U32 before = 0;

  bool owns(Cell cell) const { return abi::blockOf(cell) == block; }
  bool known(Cell cell) const { return abi::pieceInBlock(cell) < before; }
  void meets(Cell, U32, bool isKnown) const {
    if (!isKnown) met = true;
  }
};

TEST(Cells, AreTakenByOneThreadOnly) {
  Group group;
  EXPECT_TRUE(abi::CellGroup(group).exchange(0, 0, abi::cellOf(1, 0, kWhole)));
  EXPECT_FALSE(abi::CellGroup(group).exchange(0, 0, abi::cellOf(2, 0, kWhole)));
  EXPECT_EQ(group.cells[0], abi::cellOf(1, 0, kWhole));
}

TEST(Cells, HaveTheSpotOfTheAccessThatIsThere) {
  Group group;
  std::atomic<bool> met = false;
  abi::touchCells(group, abi::cellOf(1, 0, kWhole), 17, 0, Eyes{1, met});
  U32 at = static_cast<U32>(std::ranges::find(group.cells, abi::cellOf(1, 0, kWhole)) - group.cells.begin());
  ASSERT_LT(at, abi::kCells);
  EXPECT_EQ(abi::spotAt(group, at, abi::cellOf(1, 0, kWhole)), 17u);
  abi::touchCells(group, abi::cellOf(1, 1, kWhole), 18, 0, Eyes{1, met});
  EXPECT_EQ(abi::spotAt(group, at, abi::cellOf(1, 0, kWhole)), 0u) << "it was stored anew";
  EXPECT_EQ(abi::spotAt(group, at, abi::cellOf(1, 1, kWhole)), 18u);
}

// Both write each of these eight bytes, at about the same time. `fill` is what was there before.
template <typename Fill> size_t missedMeetings(U32 before, Fill fill) {
  constexpr size_t kGranules = 200'000;
  std::vector<Group> shadow(kGranules);
  for (Group &group : shadow) fill(group);
  std::vector<std::atomic<bool>> met(kGranules);
  std::atomic<int> waiting = 2;
  auto write = [&](U32 block) {
    --waiting;
    while (waiting != 0) {
    }
    for (size_t i = 0; i < kGranules; ++i)
      abi::touchCells(shadow[i], abi::cellOf(block, 5, kWhole), 1, 0, Eyes{block, met[i], before});
  };
  std::thread one(write, 1), other(write, 2);
  one.join();
  other.join();
  return static_cast<size_t>(std::ranges::count_if(met, [](const auto &each) { return !each; }));
}

TEST(Cells, ShowEveryMeetingOfTwoThreadsToOneOfThem) {
  EXPECT_EQ(missedMeetings(0, [](Group &) {}), 0u);
}

TEST(Cells, ShowMeetingsWhereBothReplaceWhatAThirdOneDidBefore) {
  EXPECT_EQ(missedMeetings(5, [](Group &group) { group.cells.fill(abi::cellOf(3, 0, kWhole)); }), 0u);
}

TEST(Cells, ShowMeetingsWhereEachStoresItsOwnAnew) {
  EXPECT_EQ(missedMeetings(5,
                           [](Group &group) {
                             group.cells[0] = abi::cellOf(1, 0, kWhole);
                             group.cells[1] = abi::cellOf(2, 0, kWhole);
                           }),
            0u);
}

} // namespace
} // namespace deadheat
