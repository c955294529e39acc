#include "support/progress.h"

#include <gtest/gtest.h>

namespace deadheat {
namespace {

TEST(Progress, SaysHowManyOfHowMany) {
  EXPECT_EQ(progressText("models", 3, 10), "deadheat: models 3 of 10");
  EXPECT_EQ(progressText("linking", 0, 0), "deadheat: linking");
}

TEST(Progress, WritesNothingWhereThereIsNoTerminal) {
  testing::internal::CaptureStderr();
  {
    Progress progress(true);
    progress.begin("models", 2);
    progress.step();
    progress.end();
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

} // namespace
} // namespace deadheat
