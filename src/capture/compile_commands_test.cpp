#include "capture/compile_commands.h"

#include <fstream>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

namespace deadheat::capture {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<UnitCommand> unitsOf(const std::string &text) {
  auto units = parseCompileCommands(text, "/build", "cc.json");
  EXPECT_TRUE(units.has_value()) << (units ? "" : units.error().text());
  return units.value_or(std::vector<UnitCommand>{});
}

std::string errorOf(const std::string &text) {
  auto units = parseCompileCommands(text, "/build", "cc.json");
  EXPECT_FALSE(units.has_value());
  return units ? "" : units.error().text();
}

TEST(CompileCommands, ALineAndAListOfWordsSayTheSame) {
  auto line = unitsOf(R"([{"directory": "/b", "file": "a.c", "command": "cc '-DX=\"a b\"' -c a.c"}])");
  auto list = unitsOf(R"([{"directory": "/b", "file": "a.c", "arguments": ["cc", "-DX=\"a b\"", "-c", "a.c"]}])");
  EXPECT_EQ(line, list);
  ASSERT_EQ(line.size(), 1u);
  EXPECT_THAT(line[0].arguments, ElementsAre("-DX=\"a b\"", "-c", "a.c"));
}

TEST(CompileCommands, AFileMayBeCompiledSeveralTimesButEqualEntriesCountOnce) {
  auto units = unitsOf(R"([{"directory": "/b", "file": "a.c", "command": "cc -DX -c a.c"},
                           {"directory": "/b", "file": "a.c", "command": "cc -DY -c a.c"},
                           {"directory": "/b", "file": "a.c", "command": "cc -DX -c a.c"}])");
  ASSERT_EQ(units.size(), 2u);
  EXPECT_EQ(units[1].arguments[0], "-DY");
}

TEST(CompileCommands, FoldersAreRelativeToTheFile) {
  EXPECT_EQ(unitsOf(R"([{"directory": "sub/.", "file": "a.c", "command": "cc -c a.c"}])")[0].directory, "/build/sub");
}

TEST(CompileCommands, WhatRunsTheCompilerIsNotTheCompiler) {
  EXPECT_EQ(unitsOf(R"([{"directory": "/", "file": "a.cc", "command": "/usr/bin/ccache g++ -c a.cc"}])")[0].compiler,
            "g++");
  EXPECT_EQ(unitsOf(R"([{"directory": "/", "file": "a.cc", "command": "deadheat c++ -c a.cc"}])")[0].compiler, "c++");
}

TEST(CompileCommands, EntriesForAssemblerAreLeftOut) {
  EXPECT_EQ(unitsOf(R"([{"directory": "/", "file": "a.S", "command": "cc -c a.S"},
                        {"directory": "/", "file": "b.c", "command": "cc -c b.c"}])")
                .size(),
            1u);
}

TEST(CompileCommands, AResponseFileIsReadInTheUnitsFolder) {
  llvm::SmallString<128> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("commands", folder));
  std::ofstream((folder + "/flags").str()) << "-DONE -DTWO";
  auto units =
      unitsOf("[{\"directory\": \"" + folder.str().str() + R"(", "file": "a.c", "command": "cc @flags -c a.c"}])");
  EXPECT_THAT(units[0].arguments, ElementsAre("-DONE", "-DTWO", "-c", "a.c"));
  llvm::sys::fs::remove_directories(folder);
}

TEST(CompileCommands, AnErrorNamesTheEntryAndWhatIsWrongWithIt) {
  EXPECT_THAT(errorOf("{"), HasSubstr("cc.json: it is not JSON"));
  EXPECT_THAT(errorOf("{}"), HasSubstr("cc.json: it is not a list of entries"));
  EXPECT_THAT(errorOf("[]"), HasSubstr("it has no entry that compiles C or C++"));
  EXPECT_THAT(errorOf("[7]"), HasSubstr("entry 1: it is not an object"));
  EXPECT_THAT(errorOf(R"([{"file": "a.c", "command": "cc a.c"}])"), HasSubstr("entry 1: it has no \"directory\""));
  EXPECT_THAT(errorOf(R"([{"directory": "/", "command": "cc a.c"}])"), HasSubstr("entry 1: it has no \"file\""));
  EXPECT_THAT(errorOf(R"([{"directory": "/", "file": "a.c"}])"), HasSubstr("neither \"command\" nor \"arguments\""));
  EXPECT_THAT(errorOf(R"([{"directory": "/", "file": "a.c", "command": " "}])"), HasSubstr("its command is empty"));
  EXPECT_THAT(errorOf(R"([{"directory": "/", "file": "a.c", "arguments": ["cc", 1]}])"),
              HasSubstr("not a list of words"));
}

// A seeded walk through damaged texts: each gives units, or one error that names the file.
TEST(CompileCommands, AnyTextGivesUnitsOrAnError) {
  const std::string good = R"([{"directory": "/b", "file": "a.c", "command": "cc -O2 '-DX=\"1\"' -c a.c -o a.o"},
                               {"directory": "c", "file": "b.cc", "arguments": ["g++", "-c", "b.cc"]}])";
  std::mt19937 random(1);
  for (int round = 0; round < 5000; ++round) {
    std::string text = good;
    for (int change = random() % 4; change >= 0; --change) {
      size_t at = random() % text.size();
      if (random() % 2)
        text[at] = static_cast<char>(random());
      else
        text.erase(at, random() % 9);
    }
    auto units = parseCompileCommands(text, "/build", "cc.json");
    if (!units) EXPECT_THAT(units.error().text(), HasSubstr("cc.json: "));
    if (units)
      for (const UnitCommand &unit : *units) EXPECT_FALSE(extractCommand(unit, {{"clang"}, {"clang++"}, "p"}).empty());
  }
}

} // namespace
} // namespace deadheat::capture
