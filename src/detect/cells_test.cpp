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

using abi::U32;
using abi::U64;

TEST(Cells, AreTakenByOneThreadOnly) {
  std::array<U64, abi::kCells> cells{};
  abi::CellGroup group{cells.data(), abi::kNearCells};
  const U64 first = abi::makeCell(1, 0, 1, abi::kBytesMask), second = abi::makeCell(2, 0, 1, abi::kBytesMask);
  EXPECT_TRUE(group.take(0, first));
  EXPECT_FALSE(group.take(0, second));
  EXPECT_EQ(cells[0], first);
}

// Both write each of these eight bytes, at about the same time.
TEST(Cells, ShowEveryMeetingOfTwoThreadsToOneOfThem) {
  constexpr size_t kGranules = 200'000;
  std::vector<std::array<U64, abi::kCells>> shadow(kGranules);
  std::vector<std::atomic<bool>> met(kGranules);
  std::atomic<int> waiting = 2;
  auto write = [&](U32 owner) {
    const U64 cell = abi::makeCell(owner, 0, 1, abi::kBytesMask | abi::kPlain | abi::kWrites);
    --waiting;
    while (waiting != 0) {
    }
    for (size_t i = 0; i < kGranules; ++i)
      abi::touchCells(
          {shadow[i].data(), abi::kNearCells}, {cell, 0, 0}, 0, [](U64) { return false; }, [&](U64) { met[i] = true; });
  };
  std::thread one(write, 1), other(write, 2);
  one.join();
  other.join();
  EXPECT_EQ(std::ranges::count_if(met, [](const auto &each) { return !each; }), 0);
}

} // namespace
} // namespace deadheat
