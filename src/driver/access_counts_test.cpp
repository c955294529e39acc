#include "driver/access_counts.h"

#include <gtest/gtest.h>

#include <map>

#include "abi/event.h"

namespace deadheat::driver {
namespace {

using abi::EventKind;
using Counts = std::map<uint32_t, uint64_t>;

Counts countsOf(const std::vector<uint64_t> &words) {
  AccessCounts counts;
  counts.add(words);
  Counts all;
  for (const AccessCount &access : counts.all()) all[access.id] = access.count;
  return all;
}

TEST(AccessCounts, TakeTheUpperBitsOfAnIdFromTheWindow) {
  EXPECT_EQ(countsOf({abi::accessWord(0x1000, 5), abi::eventWord(EventKind::Window, 3), abi::accessWord(0x1000, 5),
                      abi::accessWord(0x2000, 5)}),
            (Counts{{5, 1}, {3 << 16 | 5, 2}}));
}

TEST(AccessCounts, CountEveryEventThatNamesAnAccess) {
  EXPECT_EQ(countsOf({abi::eventWord(EventKind::Range, 7), 0x1000, 64, abi::eventWord(EventKind::Atomic, 8), 0x1000, 1,
                      abi::eventWord(EventKind::Fence, 9 << 8 | 5)}),
            (Counts{{7, 1}, {8, 1}, {9, 1}}));
}

TEST(AccessCounts, TakeNoWordOfAnEventForAnAccess) {
  for (uint32_t kind = 0; kind != abi::kEventKinds; ++kind) {
    std::vector<uint64_t> words = {abi::eventWord(static_cast<EventKind>(kind), 0)};
    for (uint32_t index = 0; index != abi::kEventWords[kind]; ++index) words.push_back(abi::accessWord(0x1000, 100));
    EXPECT_FALSE(countsOf(words).contains(100)) << kind;
  }
}

TEST(AccessCounts, PassOverWhatIsNoEvent) {
  EXPECT_EQ(countsOf({~uint64_t(0), 0, 0, abi::eventWord(EventKind::Stack, abi::kPayloadMask), 1, 2, 3}), Counts{});
}

} // namespace
} // namespace deadheat::driver
