#include "finding/suppressions.h"

#include <gtest/gtest.h>

namespace deadheat::finding {
namespace {

Finding race() {
  Finding finding;
  finding.id = "R-0123456789abcdef";
  finding.variable = "stats.hits";
  finding.accesses.resize(2);
  finding.accesses[0] = {.place = {"src/cache.cpp", 5, 1},
                         .function = "Cache::get",
                         .path = "this->stats.hits",
                         .stack = {{"Cache::get", {"src/cache.cpp", 5, 1}}, {"serve", {"src/server.cpp", 9, 1}}}};
  finding.accesses[1] = {.place = {"src/stats.cpp", 8, 1}, .function = "report", .path = "hits"};
  return finding;
}

Finding deadlock() {
  Finding finding;
  finding.kind = Kind::Deadlock;
  finding.cycle.resize(2);
  finding.cycle[0] = {.holds = "a", .wants = "b", .place = {"x.c", 1, 1}, .function = "left"};
  finding.cycle[1] = {.holds = "b", .wants = "a", .place = {"x.c", 9, 1}, .function = "right"};
  return finding;
}

bool suppresses(std::string_view text, Finding finding) {
  Suppressions suppressions;
  EXPECT_TRUE(suppressions.add(text, "s"));
  std::vector<Finding> list = {std::move(finding)};
  suppressions.apply(list);
  return list[0].suppressed;
}

TEST(Pattern, MatchesAnywhereUnlessAnchored) {
  EXPECT_TRUE(Pattern("oo").matches("foobar"));
  EXPECT_TRUE(Pattern("^foo").matches("foobar"));
  EXPECT_FALSE(Pattern("^oo").matches("foobar"));
  EXPECT_TRUE(Pattern("bar$").matches("foobar"));
  EXPECT_FALSE(Pattern("ba$").matches("foobar"));
  EXPECT_TRUE(Pattern("^foobar$").matches("foobar"));
  EXPECT_FALSE(Pattern("^foo$").matches("foobarfoo"));
}

TEST(Pattern, LetsAStarStandForAnyText) {
  EXPECT_TRUE(Pattern("f*r").matches("a foobar"));
  EXPECT_TRUE(Pattern("^f*b*r$").matches("foobar"));
  EXPECT_TRUE(Pattern("*").matches(""));
  EXPECT_TRUE(Pattern("^ab*b$").matches("abb"));
  EXPECT_FALSE(Pattern("^ab*b$").matches("ab"));
  EXPECT_FALSE(Pattern("r*f").matches("foobar"));
}

// The oracle tries every text for every star.
bool slowMatch(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] != '*') return !text.empty() && text[0] == pattern[0] && slowMatch(pattern.substr(1), text.substr(1));
  for (size_t skip = 0; skip <= text.size(); ++skip)
    if (slowMatch(pattern.substr(1), text.substr(skip))) return true;
  return false;
}

std::vector<std::string> wordsOver(std::string_view letters, size_t longest) {
  std::vector<std::string> all = {""};
  for (size_t at = 0; at != all.size(); ++at)
    if (all[at].size() < longest)
      for (char letter : letters) all.push_back(all[at] + letter);
  return all;
}

TEST(Pattern, AgreesWithTryingEverythingOnAllSmallTexts) {
  for (const std::string &pattern : wordsOver("ab*", 4))
    for (const std::string &text : wordsOver("ab", 5))
      for (int anchors = 0; anchors != 4; ++anchors) {
        bool atBeginning = anchors & 1, atEnd = anchors & 2;
        std::string whole = (atBeginning ? "" : "*") + pattern + (atEnd ? "" : "*");
        std::string ours = (atBeginning ? "^" : "") + pattern + (atEnd ? "$" : "");
        ASSERT_EQ(Pattern(ours).matches(text), slowMatch(whole, text)) << ours << " on " << text;
      }
}

TEST(Suppressions, MatchFunctionsFilesAndVariablesOfAnyFrame) {
  for (const char *text : {"race:Cache::get", "race:serve", "race:server.cpp", "race:stats.hits", "race:^report$",
                           "# why\n\n  race:src/*.cpp\r\n", "race:nothing\nrace:report"})
    EXPECT_TRUE(suppresses(text, race())) << text;
  for (const char *text : {"race:elsewhere", "race:^get", "deadlock:*", "mutex:*", ""})
    EXPECT_FALSE(suppresses(text, race())) << text;
}

TEST(Suppressions, OfTheTopFrameLeaveCallersAlone) {
  EXPECT_TRUE(suppresses("race_top:Cache::get", race()));
  EXPECT_FALSE(suppresses("race_top:serve", race()));
}

TEST(Suppressions, OfDeadlocksMatchFunctionsAndLocks) {
  EXPECT_TRUE(suppresses("deadlock:right", deadlock()));
  EXPECT_TRUE(suppresses("deadlock:^a$", deadlock()));
  EXPECT_FALSE(suppresses("race:right", deadlock()));
}

TEST(Suppressions, NameOneFindingByItsId) {
  EXPECT_TRUE(suppresses(suppressionLine("R-0123456789abcdef", "counter\nfor display"), race()));
  EXPECT_FALSE(suppresses("id:R-0123456789abcde", race()));
}

TEST(Suppressions, TakeTheMarkFromFindingsThatNoRuleSpeaksOf) {
  Finding marked = race();
  marked.suppressed = true;
  EXPECT_FALSE(suppresses("race:elsewhere", marked));
}

TEST(Suppressions, TellWhichRulesMatchedNothing) {
  Suppressions suppressions;
  ASSERT_TRUE(suppressions.add("race:report\nrace:gone\n", "old.supp"));
  std::vector<Finding> list = {race()};
  suppressions.apply(list);
  EXPECT_EQ(suppressions.unused(), std::vector<std::string>{"old.supp:2: race:gone"});
  EXPECT_EQ(list[0].suppressedBy, "old.supp:1: race:report");
}

TEST(Suppressions, PassOverWhatOnlyTsanReports) {
  Suppressions suppressions;
  ASSERT_TRUE(suppressions.add("called_from_lib:libzmq.so\nthread:leaky\nsignal:malloc\n", "s"));
  EXPECT_EQ(suppressions.ignored().size(), 3u);
}

TEST(Suppressions, RefuseALineThatIsNone) {
  for (const char *text : {"rice:foo", "race", "race:", ":foo", "hello world"}) {
    Suppressions suppressions;
    auto added = suppressions.add(std::string("race:a\n") + text, "bad.supp");
    ASSERT_FALSE(added) << text;
    EXPECT_EQ(added.error().what.substr(0, 11), "bad.supp:2:");
  }
}

} // namespace
} // namespace deadheat::finding
