#include "runtime/meeting_table.h"

#include <gtest/gtest.h>

#include <sys/mman.h>

namespace deadheat::runtime {
namespace {

constexpr U64 kLine = 0x5555'0000'1000;
constexpr U32 kFirst = 1, kSecond = 2, kThird = 3; // threads
constexpr U32 kAccess = 7;
constexpr bool kReads = false, kWrites = true;

class Meetings : public testing::Test {
  U8 *memory_ = static_cast<U8 *>(
      mmap(nullptr, kMeetingBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));

protected:
  ~Meetings() override { munmap(memory_, kMeetingBytes); }
  void SetUp() override { ASSERT_NE(static_cast<void *>(memory_), MAP_FAILED); }

  void countLone(U32 times) {
    for (U32 i = 0; i != times; ++i) table_.count(kAccess, false);
  }

  const MeetingTable table_{memory_};
};

TEST_F(Meetings, AThreadDoesNotMeetItself) {
  EXPECT_FALSE(table_.touch(kLine, kFirst, kWrites));
  EXPECT_FALSE(table_.touch(kLine + 60, kFirst, kReads));
  EXPECT_FALSE(table_.touch(kLine, kFirst, kWrites));
}

TEST_F(Meetings, ReadersDoNotMeetEachOther) {
  EXPECT_FALSE(table_.touch(kLine, kFirst, kReads));
  EXPECT_FALSE(table_.touch(kLine, kSecond, kReads));
}

TEST_F(Meetings, AReaderMeetsTheWriterOnceForEachWrite) {
  table_.touch(kLine, kFirst, kWrites);
  EXPECT_TRUE(table_.touch(kLine, kSecond, kReads));
  EXPECT_FALSE(table_.touch(kLine, kSecond, kReads));
  EXPECT_FALSE(table_.touch(kLine, kThird, kReads));
  table_.touch(kLine, kFirst, kWrites);
  EXPECT_TRUE(table_.touch(kLine, kThird, kReads));
}

TEST_F(Meetings, AWriterMeetsWhoeverWroteLastOrHasRead) {
  table_.touch(kLine, kFirst, kWrites);
  EXPECT_TRUE(table_.touch(kLine, kSecond, kWrites));
  EXPECT_FALSE(table_.touch(kLine, kSecond, kWrites));
  table_.touch(kLine, kFirst, kReads);
  EXPECT_TRUE(table_.touch(kLine, kSecond, kWrites));
}

TEST_F(Meetings, OtherLinesAreOthers) {
  table_.touch(kLine, kFirst, kWrites);
  EXPECT_FALSE(table_.touch(kLine + kMeetingLine, kSecond, kReads));
}

TEST_F(Meetings, ARangeTouchesAllLinesThatItHasAPartOf) {
  table_.touchRange(kLine + 60, kMeetingLine + 5, kFirst, kWrites);
  EXPECT_TRUE(table_.touch(kLine, kSecond, kReads));
  EXPECT_TRUE(table_.touch(kLine + kMeetingLine, kSecond, kReads));
  EXPECT_TRUE(table_.touch(kLine + 2 * kMeetingLine, kSecond, kReads));
  EXPECT_FALSE(table_.touch(kLine + 3 * kMeetingLine, kSecond, kReads));
}

TEST_F(Meetings, AnAccessIsLoneAfterManyThatMetNobody) {
  countLone(kLoneAfter - 1);
  EXPECT_FALSE(table_.isLone(kAccess));
  countLone(1);
  EXPECT_TRUE(table_.isLone(kAccess));
  EXPECT_FALSE(table_.isLone(kAccess + 1));
}

TEST_F(Meetings, AMeetingBeginsTheCountAnew) {
  countLone(kLoneAfter);
  table_.count(kAccess, true);
  EXPECT_FALSE(table_.isLone(kAccess));
  countLone(kLoneAfter - 1);
  EXPECT_FALSE(table_.isLone(kAccess));
}

} // namespace
} // namespace deadheat::runtime
