#include "runtime/flags.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace deadheat::runtime {
namespace {

std::vector<std::string> complaints;

void remember(FlagProblem problem, Slice part) {
  const char *kind = problem == FlagProblem::UnknownKey ? "unknown " : "bad ";
  complaints.push_back(kind + std::string(part.begin, part.end));
}

Flags parse(const std::string &options) {
  complaints.clear();
  Flags flags;
  parseFlags(options.c_str(), flags, remember);
  return flags;
}

TEST(Flags, AreTheDefaultsWhenNothingIsGiven) {
  const Flags flags = parse("");
  EXPECT_EQ(flags.bodies, Bodies::All);
  EXPECT_STREQ(flags.arena.bytes, "");
  EXPECT_TRUE(complaints.empty());
}

TEST(Flags, TakeTheLastValueOfAKey) {
  const Flags flags = parse("arena=/tmp/a:bodies=none:arena=/tmp/b=c:bodies=flip");
  EXPECT_STREQ(flags.arena.bytes, "/tmp/b=c");
  EXPECT_EQ(flags.bodies, Bodies::Flip);
  EXPECT_TRUE(complaints.empty());
}

TEST(Flags, TellAnUnknownKeyAndGoOn) {
  const Flags flags = parse("colour=red::bodies=none");
  EXPECT_EQ(flags.bodies, Bodies::None);
  EXPECT_EQ(complaints, std::vector<std::string>{"unknown colour"});
}

TEST(Flags, TellABadValueAndKeepTheOldOne) {
  const Flags flags = parse("bodies=none:bodies=some:bodies");
  EXPECT_EQ(flags.bodies, Bodies::None);
  EXPECT_EQ(complaints, (std::vector<std::string>{"bad bodies=some", "bad bodies"}));
}

TEST(Flags, CutTextThatDoesNotFit) {
  const Flags flags = parse("arena=" + std::string(3 * kMaxOptions, 'x'));
  EXPECT_EQ(std::string(flags.arena.bytes).size(), kMaxOptions - 1);
}

} // namespace
} // namespace deadheat::runtime
