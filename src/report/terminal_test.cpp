#include "report/terminal.h"

#include <gtest/gtest.h>

#include "llvm/Support/FileSystem.h"

#include "finding/explain.h"
#include "finding/json.h"
#include "finding/random_finding.h"
#include "report/sample.h"

namespace deadheat::report {
namespace {

std::string textOf(const finding::Findings &findings, TerminalOptions options = {},
                   Sources sources = Sources("/none")) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printTerminal(out, findings, sources, options);
  return text;
}

bool has(const std::string &text, const char *part) { return text.find(part) != std::string::npos; }

TEST(Terminal, BeginsAFindingAsACompilerWould) {
  EXPECT_EQ(textOf(sampleFindings()).substr(0, 46), "src/order.c:14:10: warning: race on stock->lef");
}

TEST(Terminal, ShowsWhatOneNeedsToBelieveAFinding) {
  std::string text = textOf(sampleFindings());
  for (const char *part :
       {"thread worker (one of many, created at src/main.c:40:5), holding no lock", "thread main, holding stock->lock",
        "called by worker at src/main.c:22:3", "src/order.c:27:3: note: ", "object: allocated at src/main.c:31:12",
        "why: No lock is held at both accesses", "evidence: harmful: racefuzzer, in 97 of 100 schedules",
        "fix: Hold stock->lock at src/order.c:14:10 too", "repeat: deadheat replay R-8f31c2a45d0e9b17",
        "[harmful, R-8f31c2a45d0e9b17]"})
    EXPECT_TRUE(has(text, part)) << part << " is not in:\n" << text;
}

TEST(Terminal, CountsTheLibrarysFramesInsteadOfShowingThem) {
  finding::Findings findings = sampleFindings();
  finding::Access &access = findings.list[0].accesses[0];
  access.thread = "std::thread::_State_impl<F>::_M_run()";
  const std::vector<finding::Frame> users = access.stack;
  access.stack.push_back({"std::__invoke", {"/usr/include/c++/12/bits/invoke.h", 61, 14}});
  access.stack.push_back({access.thread, {"/usr/include/c++/12/bits/std_thread.h", 210, 13}});
  std::string text = textOf(findings, {.isLibrary = [](std::string_view file) { return file.starts_with("/usr/"); }});
  EXPECT_TRUE(has(text, "by way of 2 of the library's functions")) << text;
  EXPECT_FALSE(has(text, "invoke.h")) << text;
  EXPECT_TRUE(has(text, ("thread " + users.back().function + " (one of many").c_str())) << text;
  EXPECT_TRUE(has(textOf(findings), "invoke.h"));
}

TEST(Terminal, TellsAnAccessThatRacesWithManyOthersAFewTimes) {
  finding::Findings findings = sampleFindings();
  findings.list.resize(1);
  findings.list[0].accesses[0].site = "copy";
  findings.list.resize(5, findings.list[0]);
  for (size_t index = 0; index != 5; ++index) findings.list[index].accesses[1].site = std::to_string(index);
  for (size_t index = 0; index != 5; ++index) findings.list[index].variable = "n" + std::to_string(index);
  auto told = [](const std::string &text) {
    size_t count = 0;
    for (size_t at = text.find("  why: "); at != std::string::npos; at = text.find("  why: ", at + 1)) ++count;
    return count;
  };
  const std::string text = textOf(findings, {.brief = true});
  EXPECT_EQ(told(text), 3u) << text;
  EXPECT_TRUE(has(text, "src/order.c:27:3: warning: ")) << text;
  EXPECT_TRUE(has(text, "at src/order.c:14:10, as above; -v tells more")) << text;
  EXPECT_EQ(told(textOf(findings)), 5u);
}

TEST(Terminal, TellsFindingsOfOneCauseOnce) {
  finding::Findings findings = sampleFindings();
  findings.list.resize(1);
  for (finding::Access &access : findings.list[0].accesses) access.site.clear();
  findings.list.resize(6, findings.list[0]);
  for (uint32_t index = 1; index != 6; ++index) findings.list[index].accesses[0].place.line = 100 + index;
  findings.list[1].accesses[0].locks = {"another"};
  for (finding::Access &access : findings.list[2].accesses) access.function = "elsewhere";
  findings.list[3].variable = "another";
  const std::string text = textOf(findings, {.brief = true});
  EXPECT_TRUE(has(text, "like it: 2 more: src/order.c:104:10 and src/order.c:27:3, src/order.c:105:10")) << text;
  for (const char *own : {"src/order.c:101:10: warning", "src/order.c:102:10: warning", "src/order.c:103:10: warning"})
    EXPECT_TRUE(has(text, own)) << own << " is not in:\n" << text;
  EXPECT_FALSE(has(text, "src/order.c:104:10: warning"));
  EXPECT_TRUE(has(text, "deadheat: 6 findings")) << text;
  EXPECT_FALSE(has(textOf(findings), "like it"));
}

TEST(Terminal, SumsUpInItsLastLine) {
  EXPECT_TRUE(textOf(sampleFindings()).ends_with("\ndeadheat: 1 finding: 1 harmful; not counted: 1 suppressed\n"));
  EXPECT_EQ(textOf({}), "deadheat: no findings\n");
}

TEST(Terminal, HidesWhatIsSuppressedBaselinedOrDemoted) {
  finding::Findings findings = sampleFindings();
  EXPECT_FALSE(has(textOf(findings), "lock.c"));
  findings.list[1].suppressed = false;
  EXPECT_FALSE(has(textOf(findings), "lock.c")); // it has a demotion
  std::string all = textOf(findings, {.demoted = true});
  EXPECT_TRUE(has(all, "left wants b and holds a since src/lock.c:7:3")) << all;
  EXPECT_TRUE(has(all, "doubt: both take g first (gate-lock)")) << all;
  EXPECT_TRUE(has(all, "not proven: no schedule hit it (100 schedules)")) << all;
  findings.list[1].baselined = true;
  EXPECT_FALSE(has(textOf(findings, {.demoted = true}), "lock.c"));
}

TEST(Terminal, ShowsTheFirstAndCountsTheRest) {
  finding::Findings findings = sampleFindings();
  findings.list.resize(1);
  findings.list.resize(4, findings.list[0]);
  std::string text = textOf(findings, {.most = 1});
  EXPECT_TRUE(has(text, "deadheat: 3 more of lower rank are not shown"));
  EXPECT_TRUE(has(text, "deadheat: 4 findings: 4 harmful"));
}

TEST(Terminal, HasColoursOnlyWhenAsked) {
  EXPECT_FALSE(has(textOf(sampleFindings()), "\x1b["));
  EXPECT_TRUE(has(textOf(sampleFindings(), {.color = true}), "\x1b["));
}

TEST(Terminal, LetsNoNameRewriteTheTerminal) {
  finding::Findings findings = sampleFindings();
  finding::Finding &race = findings.list[0];
  for (std::string *text : {&race.title, &race.variable, &race.why, &race.fix, &race.accesses[0].function,
                            &race.accesses[0].path, &race.accesses[0].thread, &race.accesses[0].place.file,
                            &race.accesses[0].access, &race.accesses[0].stack[1].function, &race.evidence[0].detail})
    *text = "\x1b[2J\n";
  EXPECT_FALSE(has(textOf(findings), "\x1b"));
}

class SourceExcerpt : public ::testing::Test {
protected:
  SourceExcerpt() {
    llvm::SmallString<128> path;
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("deadheat-source", path));
    root_ = path.str().str();
    std::error_code error;
    llvm::raw_fd_ostream(root_ + "/a.c", error) << "one\r\n\tint n\x1b = x->n;\n\xc3\xa4 = y;";
  }
  ~SourceExcerpt() override { llvm::sys::fs::remove_directories(root_); }

  std::optional<Excerpt> at(uint32_t line, uint32_t column) { return Sources(root_).excerpt({"a.c", line, column}); }

  std::string root_;
};

TEST_F(SourceExcerpt, PointsToTheColumn) {
  EXPECT_EQ(at(1, 2)->line, "one");
  EXPECT_EQ(at(1, 2)->caret, " ^");
  EXPECT_EQ(at(1, 0)->caret, "");
  EXPECT_EQ(at(1, 99)->caret, "");
}

TEST_F(SourceExcerpt, CountsWhatIsShown) {
  EXPECT_EQ(at(2, 11)->line, " int n\\x1b = x->n;");
  EXPECT_EQ(at(2, 11)->caret, std::string(13, ' ') + "^");
  EXPECT_EQ(at(3, 4)->caret, "  ^");
}

TEST_F(SourceExcerpt, IsLeftOutWhereThereIsNone) {
  EXPECT_FALSE(at(0, 1));
  EXPECT_FALSE(at(9, 1));
  EXPECT_FALSE(Sources(root_).excerpt({"b.c", 1, 1}));
  EXPECT_FALSE(Sources("/dev").excerpt({"zero", 1, 1}));
  EXPECT_FALSE(Sources(root_).excerpt({}));
}

} // namespace
} // namespace deadheat::report
