#include "finding/store.h"

#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include "finding/collect.h"
#include "finding/in_batches.h"
#include "finding/random_finding.h"

namespace deadheat::finding {
namespace {

class StoreTest : public ::testing::Test {
protected:
  StoreTest() {
    llvm::SmallString<128> path;
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("deadheat-store", path));
    directory_ = path.str().str();
  }
  ~StoreTest() override { llvm::sys::fs::remove_directories(directory_); }

  // A use of a verb as a process of its own would make it.
  std::vector<Finding> use(const std::string &verb, std::vector<Finding> findings) {
    auto store = Store::open(directory_);
    EXPECT_TRUE(store) << store.error().text();
    auto run = store->beginRun(verb);
    EXPECT_TRUE(run) << run.error().text();
    collect(findings);
    auto recorded = store->record(*run, findings);
    EXPECT_TRUE(recorded) << recorded.error().text();
    return findings;
  }

  Findings known() {
    auto store = Store::openExisting(directory_);
    EXPECT_TRUE(store) << store.error().text();
    auto all = store->load();
    EXPECT_TRUE(all) << all.error().text();
    return all ? *all : Findings();
  }

  void overwrite(llvm::StringRef text) {
    std::error_code error;
    llvm::raw_fd_ostream(directory_ + "/deadheat.db", error) << text;
    ASSERT_FALSE(error);
  }

  std::string openError() {
    auto store = Store::open(directory_);
    return store ? "none" : store.error().text();
  }

  std::string directory_;
};

Finding race(const char *function, Level level, uint32_t line = 5) {
  Finding finding;
  finding.level = level;
  for (const char *access : {"read", "write"})
    finding.accesses.push_back(
        {.place = {"a.c", line, 1}, .function = function, .access = access, .site = std::string("a.c:x:") + access});
  return finding;
}

TEST_F(StoreTest, GivesBackWhatItWasGiven) {
  for (uint32_t seed = 1; seed != 30; ++seed) {
    llvm::sys::fs::remove_directories(directory_);
    std::vector<Finding> findings = randomFindings(seed).list;
    for (Finding &finding : findings) {
      finding.suppressed = finding.baselined = false;
      finding.suppressedBy.clear();
    }
    use("check", findings);
    collect(findings);
    EXPECT_EQ(known().list, findings) << "seed " << seed;
  }
}

TEST_F(StoreTest, LetsAFindingClimbUnderOneId) {
  std::string id = use("check", {race("f", Level::Possible)})[0].id;
  use("run", {race("f", Level::Observed)});
  std::vector<Finding> again = use("check", {race("f", Level::Possible)});
  EXPECT_EQ(again[0].level, Level::Observed);
  ASSERT_EQ(known().list.size(), 1u);
  EXPECT_EQ(known().list[0].id, id);
}

// More than one batch: they are joined by several threads, and written in order.
TEST_F(StoreTest, KeepsManyFindingsAndRenewsOnlyWhatChanged) {
  std::vector<Finding> many;
  for (uint32_t i = 0; i < 2 * kBatch + 5; ++i)
    many.push_back(race(("f" + std::to_string(i)).c_str(), Level::Possible));
  std::vector<Finding> first = use("check", many);
  EXPECT_EQ(known().list, first);
  many[kBatch + 1].variable = "now it has a name";
  EXPECT_EQ(use("check", many), known().list);
  auto database = Database::open(directory_ + "/deadheat.db", Database::Mode::Existing);
  ASSERT_TRUE(database);
  Statement rows(*database, "SELECT count(*), sum(body LIKE '%now it has a name%') FROM finding "
                            "JOIN seen USING (id) WHERE first_run = 1 AND last_run = 2");
  ASSERT_TRUE(rows.step());
  EXPECT_EQ(rows.number(0), static_cast<int64_t>(many.size()));
  EXPECT_EQ(rows.number(1), 1);
}

TEST_F(StoreTest, LoadsThoseOfAFingerprintOnlyWhereItHasSeveralPlaces) {
  use("check", {race("f", Level::Possible, 5), race("f", Level::Possible, 30), race("g", Level::Possible)});
  auto store = Store::openExisting(directory_);
  auto rivals = [&](const std::vector<Finding> &findings) { return store->loadRivals(findings)->size(); };
  EXPECT_EQ(rivals({race("f", Level::Possible, 30)}), 2u);
  EXPECT_EQ(rivals({race("g", Level::Possible)}), 0u);
  EXPECT_EQ(rivals({race("g", Level::Possible, 5), race("g", Level::Possible, 7)}), 1u);
  EXPECT_EQ(rivals({race("h", Level::Possible, 5), race("h", Level::Possible, 7)}), 0u);
}

TEST_F(StoreTest, ShowsAFindingWhereTheSourceHasItNow) {
  Finding before = race("f", Level::Observed, 5);
  before.accesses[0].stack = {{"f", {"a.c", 5, 1}}};
  use("run", {before});
  use("check", {race("f", Level::Possible, 50)});
  Finding now = known().list.at(0);
  EXPECT_EQ(now.accesses[0].place.line, 50u);
  EXPECT_TRUE(now.accesses[0].stack.empty());
}

TEST_F(StoreTest, KeepsTheProgramOfTheLatestRun) {
  auto store = Store::open(directory_);
  for (const char *command : {"./old", "./new"}) {
    Program program;
    program.command = {command};
    ASSERT_TRUE(store->endRun(*store->beginRun("run"), program));
  }
  ASSERT_TRUE(store->beginRun("run")); // still running
  EXPECT_EQ(known().program.command, std::vector<std::string>{"./new"});
}

TEST_F(StoreTest, LosesNothingWhenTheProcessIsKilled) {
  pid_t child = fork();
  if (child == 0) {
    use("run", {race("f", Level::Observed)});
    auto store = Store::open(directory_);
    auto run = store->beginRun("run");
    std::vector<Finding> findings = {race("g", Level::Observed)};
    collect(findings);
    (void)store->record(*run, findings);
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(known().list.size(), 2u);
}

TEST_F(StoreTest, IsSharedByProcessesThatWriteAtTheSameTime) {
  constexpr int kProcesses = 6;
  for (int number = 0; number != kProcesses; ++number) {
    if (fork() != 0) continue;
    for (int round = 0; round != 10; ++round)
      use("run", {race(("f" + std::to_string(number)).c_str(), Level::Observed)});
    _exit(HasFailure());
  }
  for (int number = 0; number != kProcesses; ++number) {
    int status = 1;
    wait(&status);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(known().list.size(), size_t(kProcesses));
}

TEST_F(StoreTest, OfEveryVersionIsRead) {
  for (const char *sample : {"/store-v1.db", "/store-v2.db"}) {
    ASSERT_FALSE(llvm::sys::fs::copy_file(std::string(DEADHEAT_FORMATS) + sample, directory_ + "/deadheat.db"));
    Findings all = known();
    ASSERT_EQ(all.list.size(), 2u) << sample;
    EXPECT_EQ(all.list[0].id, "R-8f31c2a45d0e9b17");
    EXPECT_EQ(all.program.command.at(0), "./shop");
    auto database = Database::open(directory_ + "/deadheat.db", Database::Mode::Existing);
    ASSERT_TRUE(database);
    Statement rows(*database, "SELECT count(*) FROM finding JOIN seen USING (id) WHERE last_run >= first_run");
    ASSERT_TRUE(rows.step());
    EXPECT_EQ(rows.number(0), 2) << sample;
  }
}

TEST_F(StoreTest, TellsThatAnotherFileIsNoDatabase) {
  overwrite("this is a text that is longer than the header of a database, which has one hundred bytes in all of them");
  EXPECT_NE(openError().find("it is not a database of deadheat"), std::string::npos) << openError();
}

TEST_F(StoreTest, TellsThatADatabaseIsDamaged) {
  std::vector<Finding> many;
  for (int number = 0; number != 200; ++number)
    many.push_back(race(("f" + std::to_string(number)).c_str(), Level::Observed));
  use("run", many);
  auto file = llvm::sys::fs::openNativeFileForReadWrite(directory_ + "/deadheat.db", llvm::sys::fs::CD_OpenExisting,
                                                        llvm::sys::fs::OF_None);
  ASSERT_TRUE(bool(file));
  std::string garbage(4096, '\x5a');
  for (int page = 1; page != 12; ++page) ASSERT_EQ(pwrite(*file, garbage.data(), garbage.size(), page * 4096), 4096);
  llvm::sys::fs::closeFile(*file);
  EXPECT_NE(openError().find("the database is damaged"), std::string::npos) << openError();
}

TEST_F(StoreTest, RefusesANewerDatabase) {
  use("check", {});
  ASSERT_TRUE(Database::open(directory_ + "/deadheat.db", Database::Mode::Existing)->run("PRAGMA user_version = 9"));
  EXPECT_NE(openError().find("newer"), std::string::npos) << openError();
}

TEST_F(StoreTest, RefusesTheDatabaseOfAnotherProgram) {
  ASSERT_TRUE(Database::open(directory_ + "/deadheat.db", Database::Mode::Create)->run("CREATE TABLE t (x)"));
  EXPECT_NE(openError().find("not a database of deadheat"), std::string::npos) << openError();
}

TEST_F(StoreTest, SaysThatNothingWasStoredYet) {
  auto store = Store::openExisting(directory_);
  ASSERT_FALSE(store);
  EXPECT_NE(store.error().text().find("deadheat run first"), std::string::npos);
}

TEST_F(StoreTest, TellsThatTheDirectoryCannotBeMade) {
  auto store = Store::open("/dev/null/deadheat");
  ASSERT_FALSE(store);
  EXPECT_NE(store.error().text().find("--db"), std::string::npos);
}

} // namespace
} // namespace deadheat::finding
