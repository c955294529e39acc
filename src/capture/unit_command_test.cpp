#include "capture/unit_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace deadheat::capture {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::Not;
using testing::StartsWith;
using Words = std::vector<std::string>;

const Compilers kCompilers = {{"clang"}, {"clang++"}, "/lib/plugin.so"};

Words commandOf(const std::string &compiler, const Words &arguments, const std::string &file = "a.c") {
  return extractCommand({file, "/src", compiler, arguments}, kCompilers);
}

TEST(UnitCommand, NothingOfTheBuildIsWritten) {
  Words command = commandOf("gcc", {"-O2", "-Wp,-MMD,x/.a.o.d", "-MD", "-MF", "a.d", "-MT", "a.o", "-MP", "--coverage",
                                    "-save-temps", "-ftest-coverage", "-c", "-o", "a.o", "a.c"});
  for (const char *word : {"-Wp,-MMD,x/.a.o.d", "-MD", "-MF", "a.d", "-MT", "-MP", "-o", "a.o", "--coverage",
                           "-save-temps", "-ftest-coverage"})
    EXPECT_THAT(command, Not(Contains(word)));
  EXPECT_THAT(command, Contains("-O2"));
}

TEST(UnitCommand, TheFileStandsOnceAsTheBuildSpelledIt) {
  Words command = commandOf("cc", {"-c", "../src/a.c"}, "/src/a.c");
  EXPECT_EQ(command.back(), "../src/a.c");
  EXPECT_THAT(command, Not(Contains("/src/a.c")));
}

TEST(UnitCommand, OtherInputsOfTheCommandAreLeftOut) {
  Words command = commandOf("cc", {"a.c", "b.c", "c.o", "-lm", "-o", "app"}, "b.c");
  EXPECT_THAT(command, AllOf(Not(Contains("a.c")), Not(Contains("c.o"))));
  EXPECT_EQ(command.back(), "b.c");
}

TEST(UnitCommand, TheLanguageIsThatOfTheCompilersName) {
  for (const char *name : {"g++", "c++", "/usr/bin/clang++-19", "x86_64-linux-gnu-g++-12", "deadheat-c++"})
    EXPECT_EQ(commandOf(name, {}).front(), "clang++") << name;
  for (const char *name : {"gcc", "cc", "clang-19", "deadheat-cc"})
    EXPECT_EQ(commandOf(name, {}).front(), "clang") << name;
  EXPECT_EQ(commandOf("", {}, "a.cpp").front(), "clang++");
  EXPECT_EQ(commandOf("", {}, "a.c").front(), "clang");
}

TEST(UnitCommand, ACrossCompilersNameGivesTheTarget) {
  EXPECT_THAT(commandOf("aarch64-linux-gnu-gcc-12", {}), Contains("--target=aarch64-linux-gnu"));
  EXPECT_THAT(commandOf("musl-gcc", {}), Each(Not(StartsWith("--target"))));
}

TEST(UnitCommand, FlagsOfGccAreLeftOut) {
  EXPECT_THAT(commandOf("gcc", {"-fno-tree-loop-im", "-fconserve-stack", "-DX"}),
              AllOf(Not(Contains("-fconserve-stack")), Not(Contains("-fno-tree-loop-im")), Contains("-DX")));
}

TEST(UnitCommand, ALanguageGivenByFlagStandsBeforeTheFile) {
  Words command = commandOf("gcc", {"-x", "c++", "-c", "a.inc"}, "a.inc");
  EXPECT_THAT(Words(command.end() - 5, command.end()), ElementsAre("-x", "c++", "-c", "-emit-llvm", "a.inc"));
}

TEST(UnitCommand, BitcodeIsASource) {
  EXPECT_TRUE(isSource("a.bc"));
  EXPECT_TRUE(isSource("a.ll"));
  EXPECT_TRUE(isSource("a.cpp"));
  EXPECT_FALSE(isSource("a.o"));
  EXPECT_FALSE(isSource("a.S"));
}

} // namespace
} // namespace deadheat::capture
