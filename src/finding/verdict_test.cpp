#include "finding/verdict.h"

#include <gtest/gtest.h>

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include "finding/json.h"

namespace deadheat::finding {
namespace {

Finding at(Level level) {
  Finding finding;
  finding.level = level;
  finding.id = "R-" + std::string(name(level));
  return finding;
}

TEST(Verdict, FailsOnFindingsAtTheLevelOrAbove) {
  EXPECT_TRUE(fails({at(Level::Observed)}, Level::Observed));
  EXPECT_TRUE(fails({at(Level::Harmful)}, Level::Observed));
  EXPECT_FALSE(fails({at(Level::Predicted)}, Level::Observed));
  EXPECT_FALSE(fails({}, Level::Possible));
}

TEST(Verdict, LeavesSuppressedBaselinedAndDemotedFindingsOut) {
  Finding suppressed = at(Level::Harmful), baselined = suppressed, demoted = suppressed;
  suppressed.suppressed = true;
  baselined.baselined = true;
  demoted.demotions = {{"aliasing", ""}};
  EXPECT_FALSE(fails({suppressed, baselined, demoted}, Level::Possible));
}

class Baseline : public ::testing::Test {
protected:
  Baseline() { EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("baseline", "json", path_)); }
  ~Baseline() override { llvm::sys::fs::remove(path_); }

  void write(llvm::StringRef text) {
    std::error_code error;
    llvm::raw_fd_ostream(path_, error) << text;
    ASSERT_FALSE(error);
  }

  llvm::SmallString<128> path_;
};

TEST_F(Baseline, LeavesOnlyNewFindingsToCount) {
  Findings before;
  before.list = {at(Level::Possible)};
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(toJson(before));
  write(text);
  std::vector<Finding> now = {at(Level::Possible), at(Level::Observed)};
  ASSERT_TRUE(applyBaseline(now, path_.str().str()));
  EXPECT_FALSE(counts(now[0]));
  EXPECT_TRUE(counts(now[1]));
}

TEST_F(Baseline, ThatCannotBeReadIsAnError) {
  write("{}");
  std::vector<Finding> now;
  EXPECT_FALSE(applyBaseline(now, path_.str().str()));
  EXPECT_FALSE(applyBaseline(now, path_.str().str() + ".none"));
}

} // namespace
} // namespace deadheat::finding
