#include "driver/finish.h"

#include <gtest/gtest.h>

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include "driver/report_verb.h"
#include "driver/suppress_verb.h"
#include "finding/json.h"
#include "finding/names.h"
#include "finding/store.h"
#include "support/file.h"

namespace deadheat::driver {
namespace {

using finding::Level;

class FinishTest : public ::testing::Test {
protected:
  FinishTest() {
    llvm::SmallString<128> path;
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("deadheat-finish", path));
    folder_ = path.str().str();
    options_.database = folder_ + "/db";
    options_.json = folder_ + "/findings.json";
    options_.quiet = true;
    options_.failOn = Level::Observed;
  }
  ~FinishTest() override { llvm::sys::fs::remove_directories(folder_); }

  static finding::Findings race(Level level) {
    finding::Findings findings;
    finding::Finding &finding = findings.list.emplace_back();
    finding.level = level;
    finding.accesses.resize(2);
    for (finding::Access &access : finding.accesses)
      access = {.place = {"a.c", 5, 3}, .function = "f", .access = "write", .path = "n", .site = "a.c:f:write:n"};
    return findings;
  }

  int finishWith(Level level) {
    finding::Findings findings = race(level);
    return finish(findings, options_, {.verb = "run"});
  }

  finding::Findings written() {
    auto file = readFile(options_.json);
    EXPECT_TRUE(file) << file.error().text();
    auto findings = finding::parseFindings((*file)->getBuffer(), options_.json);
    EXPECT_TRUE(findings) << findings.error().text();
    return findings ? *findings : finding::Findings();
  }

  void write(const std::string &name, llvm::StringRef text) {
    std::error_code error;
    llvm::raw_fd_ostream(folder_ + "/" + name, error) << text;
    ASSERT_FALSE(error);
  }

  std::vector<std::string> verbArguments(std::vector<std::string> more) {
    for (const char *each : {"-q", "--db", options_.database.c_str(), "--suppressions"}) more.push_back(each);
    more.push_back(folder_ + "/my.supp");
    return more;
  }

  std::string folder_;
  CommonOptions options_;
};

TEST_F(FinishTest, FailsOnlyOnFindingsOfTheLevel) {
  EXPECT_EQ(finishWith(Level::Predicted), kExitGood);
  EXPECT_EQ(finishWith(Level::Observed), kExitFindings);
}

TEST_F(FinishTest, CountsWhatWasProvenBefore) {
  finishWith(Level::Confirmed);
  EXPECT_EQ(finishWith(Level::Possible), kExitFindings);
  EXPECT_EQ(written().list.at(0).level, Level::Confirmed);
}

TEST_F(FinishTest, WritesExplainedFindingsWithIdsAndRanks) {
  finishWith(Level::Observed);
  const finding::Finding finding = written().list.at(0);
  EXPECT_EQ(finding.id.substr(0, 2), "R-");
  EXPECT_EQ(finding.rank, 1u);
  EXPECT_FALSE(finding.title.empty() || finding.why.empty() || finding.fix.empty());
}

TEST_F(FinishTest, StoresNoSentencesThatItMadeItself) {
  finishWith(Level::Observed);
  EXPECT_EQ(finding::Store::open(options_.database)->load()->list.at(0).why, "");
}

TEST_F(FinishTest, LeavesSuppressedFindingsOut) {
  options_.suppressions = folder_ + "/my.supp";
  write("my.supp", "race:a.c\n");
  EXPECT_EQ(finishWith(Level::Harmful), kExitGood);
  EXPECT_TRUE(written().list.at(0).suppressed);
}

TEST_F(FinishTest, LeavesFindingsOfTheBaselineOut) {
  EXPECT_EQ(finishWith(Level::Observed), kExitFindings);
  llvm::sys::fs::rename(options_.json, folder_ + "/before.json");
  options_.baseline = folder_ + "/before.json";
  EXPECT_EQ(finishWith(Level::Observed), kExitGood);
  EXPECT_TRUE(written().list.at(0).baselined);
}

TEST_F(FinishTest, WritesAllFormatsAtOnce) {
  options_.sarif = folder_ + "/findings.sarif";
  options_.html = folder_ + "/findings.html";
  finishWith(Level::Observed);
  for (const std::string &path : {options_.json, options_.sarif, options_.html}) {
    auto file = readFile(path);
    ASSERT_TRUE(file);
    EXPECT_TRUE((*file)->getBuffer().contains(written().list.at(0).id)) << path;
  }
}

TEST_F(FinishTest, ReportsEvenIfTheStoreIsDamaged) {
  llvm::sys::fs::create_directories(options_.database);
  write("db/deadheat.db", std::string(200, 'x'));
  EXPECT_EQ(finishWith(Level::Observed), kExitBadInput);
  EXPECT_EQ(written().list.size(), 1u);
}

TEST_F(FinishTest, GivesTheSameBytesAgain) {
  finishWith(Level::Observed);
  std::string first = (*readFile(options_.json))->getBuffer().str();
  finishWith(Level::Observed);
  EXPECT_EQ((*readFile(options_.json))->getBuffer(), first);
}

TEST_F(FinishTest, TellsBeforehandWhatWouldGoWrong) {
  EXPECT_TRUE(checkCommon(options_));
  for (std::string CommonOptions::*option :
       {&CommonOptions::json, &CommonOptions::sarif, &CommonOptions::html, &CommonOptions::suppressions,
        &CommonOptions::baseline, &CommonOptions::config, &CommonOptions::database}) {
    CommonOptions bad = options_;
    bad.*option = "/dev/null/nowhere";
    EXPECT_FALSE(checkCommon(bad));
  }
}

TEST_F(FinishTest, ReadsAllCommonOptions) {
  CLI::App app("test", "test");
  CommonOptions read;
  declareCommon(app, read, Level::Observed);
  EXPECT_EQ(parseArguments(app, {"--db",   "d", "--config",  "c",       "--json",         "-",     "--sarif",    "s",
                                 "--html", "h", "--fail-on", "harmful", "--suppressions", "p",     "--baseline", "b",
                                 "-j",     "3", "-q",        "-v",      "--color",        "always"}),
            std::nullopt);
  EXPECT_EQ(read.failOn, Level::Harmful);
  EXPECT_EQ(read.jobs, 3u);
  EXPECT_EQ(read.color, Color::Always);
  EXPECT_EQ(read.json, "-");
  EXPECT_EQ(parseArguments(app, {"--fail-on", "sometimes"}), kExitBadInput);
}

TEST_F(FinishTest, LetsReportShowWhatIsStored) {
  finishWith(Level::Observed);
  std::string id = written().list.at(0).id;
  EXPECT_EQ(reportVerb({"-q", "--db", options_.database, "--json", options_.json}), kExitGood);
  EXPECT_EQ(written().list.at(0).id, id);
  EXPECT_EQ(reportVerb({"-q", "--db", options_.database, "--level", "confirmed", "--json", options_.json}), kExitGood);
  EXPECT_TRUE(written().list.empty());
  EXPECT_EQ(reportVerb({"-q", "--db", options_.database, "--fail-on", "observed"}), kExitFindings);
  EXPECT_EQ(reportVerb({"-q", "--db", options_.database, "--fail-on", "confirmed"}), kExitGood);
  EXPECT_EQ(reportVerb({"-q", "--db", folder_ + "/none"}), kExitBadInput);
}

TEST_F(FinishTest, LetsSuppressNameAFindingByTheBeginningOfItsId) {
  finishWith(Level::Observed);
  std::string id = written().list.at(0).id;
  write("my.supp", "race:elsewhere"); // no end of line
  EXPECT_EQ(suppressVerb(verbArguments({id.substr(0, 6), "--why", "only for display"})), kExitGood);
  options_.suppressions = folder_ + "/my.supp";
  EXPECT_EQ((*readFile(options_.suppressions))->getBuffer(), "race:elsewhere\nid:" + id + "  # only for display\n");
  EXPECT_EQ(finishWith(Level::Observed), kExitGood);
  EXPECT_EQ(suppressVerb(verbArguments({id})), kExitGood); // once is enough
  EXPECT_EQ((*readFile(options_.suppressions))->getBuffer().count("id:"), 1u);
}

TEST_F(FinishTest, LetsSuppressRefuseAnIdThatNobodyKnows) {
  finishWith(Level::Observed);
  EXPECT_EQ(suppressVerb(verbArguments({"R-nothing"})), kExitBadInput);
  EXPECT_FALSE(llvm::sys::fs::exists(folder_ + "/my.supp"));
}

} // namespace
} // namespace deadheat::driver
