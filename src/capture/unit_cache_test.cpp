#include "capture/unit_cache.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

namespace deadheat::capture {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using TimePoint = llvm::sys::TimePoint<>;

TEST(Dependencies, AreTheWordsAfterTheTarget) {
  EXPECT_THAT(readDependencies("unit: a.c \\\n  /usr/include/b.h \\\n c.h\n"),
              ElementsAre("a.c", "/usr/include/b.h", "c.h"));
  EXPECT_THAT(readDependencies("unit: my\\ file.c a\\#b.h c$$d.h"), ElementsAre("my file.c", "a#b.h", "c$d.h"));
  EXPECT_THAT(readDependencies(""), IsEmpty());
  EXPECT_THAT(readDependencies("unit:"), IsEmpty());
}

class CacheTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("cache", folder_));
    write("a.c", "int a;");
    write("a.h", "int h;");
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder_); }

  std::string path(const std::string &name) const { return folder_.str().str() + "/" + name; }
  void write(const std::string &name, const std::string &text) const { std::ofstream(path(name)) << text; }

  std::string add(uint64_t command, TimePoint begun = TimePoint::max()) {
    write("model", "bytes");
    auto stored = UnitCache(folder_.str().str()).add(command, {path("a.c"), path("a.h")}, path("model"), begun);
    return stored.value_or("");
  }
  std::string find(uint64_t command) { return UnitCache(folder_.str().str()).find(command).value_or(""); }

  llvm::SmallString<128> folder_;
};

TEST_F(CacheTest, AModelIsFoundWhileItsFilesAreTheSame) {
  std::string stored = add(1);
  EXPECT_NE(stored, "");
  EXPECT_EQ(find(1), stored);
  EXPECT_EQ(find(2), "");
}

TEST_F(CacheTest, AChangedHeaderMakesTheModelOldAndChangingItBackMakesItNew) {
  std::string stored = add(1);
  write("a.h", "int changed;");
  EXPECT_EQ(find(1), "");
  write("a.h", "int h;");
  EXPECT_EQ(find(1), stored);
}

TEST_F(CacheTest, AMissingHeaderMakesTheModelOld) {
  add(1);
  llvm::sys::fs::remove(path("a.h"));
  EXPECT_EQ(find(1), "");
}

TEST_F(CacheTest, AFileThatChangedDuringTheCompileIsNotTrusted) {
  std::string stored = add(1, TimePoint::min());
  EXPECT_NE(stored, "");
  EXPECT_EQ(find(1), "");
}

} // namespace
} // namespace deadheat::capture
