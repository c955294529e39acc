#include "abi/flags.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace deadheat::abi {
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
  EXPECT_EQ(flags.sampler, Sampler::ThreadAdaptive);
  EXPECT_EQ(flags.burst, 10u);
  EXPECT_STREQ(flags.arena.bytes, "");
  EXPECT_TRUE(complaints.empty());
}

TEST(Flags, TakeTheLastValueOfAKey) {
  const Flags flags = parse("arena=/tmp/a:sampler=none:arena=/tmp/b=c:sampler=flip");
  EXPECT_STREQ(flags.arena.bytes, "/tmp/b=c");
  EXPECT_EQ(flags.sampler, Sampler::Flip);
  EXPECT_TRUE(complaints.empty());
}

TEST(Flags, TellAnUnknownKeyAndGoOn) {
  const Flags flags = parse("colour=red::sampler=none");
  EXPECT_EQ(flags.sampler, Sampler::None);
  EXPECT_EQ(complaints, std::vector<std::string>{"unknown colour"});
}

TEST(Flags, TellABadValueAndKeepTheOldOne) {
  const Flags flags = parse("sampler=none:sampler=some:sampler");
  EXPECT_EQ(flags.sampler, Sampler::None);
  EXPECT_EQ(complaints, (std::vector<std::string>{"bad sampler=some", "bad sampler"}));
}

TEST(Flags, TakeDecimalNumbersOnly) {
  const Flags flags = parse("one_in=250:burst=1x:burst=-1:burst=:burst=99999999999");
  EXPECT_EQ(flags.one_in, 250u);
  EXPECT_EQ(flags.burst, 10u);
  EXPECT_EQ(complaints.size(), 4u);
}

TEST(Flags, KnowEverySamplerByItsName) {
#define SAMPLER(name, text, rule, growth, oneIn, sentence) EXPECT_EQ(parse("sampler=" text).sampler, Sampler::name);
#include "abi/samplers.def"
}

TEST(Flags, CutTextThatDoesNotFit) {
  const Flags flags = parse("arena=" + std::string(3 * kMaxOptions, 'x'));
  EXPECT_EQ(std::string(flags.arena.bytes).size(), kMaxOptions - 1);
}

} // namespace
} // namespace deadheat::abi
