#include "capture/command_line.h"

#include <fstream>

#include <gtest/gtest.h>

namespace deadheat::capture {
namespace {

using Words = std::vector<std::string>;

Goal goalOf(Words flags) {
  flags.push_back("a.c");
  return parse(flags).goal;
}

DebugLevel debugOf(Words flags) {
  flags.push_back("a.c");
  return parse(flags).debug;
}

TEST(CommandLine, StopsAtTheEarliestStepThatAFlagNames) {
  EXPECT_EQ(goalOf({}), Goal::Program);
  EXPECT_EQ(goalOf({"-c"}), Goal::Object);
  EXPECT_EQ(goalOf({"-c", "-S"}), Goal::Assembly);
  EXPECT_EQ(goalOf({"-E", "-c"}), Goal::Preprocess);
  EXPECT_EQ(goalOf({"-c", "-MM"}), Goal::Preprocess);
  EXPECT_EQ(goalOf({"-c", "-MD", "-MF", "a.d"}), Goal::Object);
  EXPECT_EQ(goalOf({"-S", "-fsyntax-only"}), Goal::Check);
  EXPECT_EQ(goalOf({"--analyze"}), Goal::Check);
  EXPECT_EQ(goalOf({"--precompile"}), Goal::Precompile);
}

TEST(CommandLine, AQuestionToTheCompilerBuildsNothing) {
  for (const char *flag : {"-###", "--version", "--help", "-print-search-dirs", "-print-file-name=x", "-dumpmachine",
                           "-dumpversion", "-print-prog-name=ld", "-fdriver-only"})
    EXPECT_EQ(goalOf({"-c", flag}), Goal::Answer) << flag;
  EXPECT_EQ(parse({"-v"}).goal, Goal::Answer);
  EXPECT_EQ(parse({"-Wl,--version"}).goal, Goal::Answer);
  EXPECT_EQ(parse({"-cc1", "-emit-obj", "a.c"}).goal, Goal::Answer);
  EXPECT_EQ(parse({"--driver-mode=cl", "/c", "a.c"}).goal, Goal::Answer);
}

TEST(CommandLine, GeneratesCodeFromSourcesOnly) {
  for (const char *name : {"a.c", "a.cc", "a.cpp", "a.cxx", "a.C", "a.i", "a.ii", "a.m", "a.mm", "a.cppm", "d.x/a.c"})
    EXPECT_TRUE(parse({"-c", name}).generatesCode()) << name;
  for (const char *name : {"a.s", "a.S", "a.o", "a.a", "a.so", "a.h", "a.hpp", "a.bc", "a.ll", "a", "a.c.o", "-"})
    EXPECT_FALSE(parse({"-c", name}).generatesCode()) << name;
}

TEST(CommandLine, LanguageFlagRulesTheInputsAfterIt) {
  EXPECT_TRUE(parse({"-c", "-xc", "a"}).generatesCode());
  EXPECT_TRUE(parse({"-c", "-x", "c++", "-"}).generatesCode());
  EXPECT_TRUE(parse({"-c", "-x", "objective-c++", "a"}).generatesCode());
  EXPECT_FALSE(parse({"-c", "-x", "assembler-with-cpp", "a.c"}).generatesCode());
  EXPECT_FALSE(parse({"-x", "c-header", "a.c"}).generatesCode());
  EXPECT_FALSE(parse({"-x", "c++-header", "a.c"}).generatesCode());
  EXPECT_TRUE(parse({"-x", "assembler", "b", "-x", "none", "a.c"}).generatesCode());
  EXPECT_FALSE(parse({"a", "-xc"}).generatesCode());
}

TEST(CommandLine, NoCodeBeforeTheCompilerProper) {
  for (const char *flag : {"-E", "-M", "-MM", "-fsyntax-only", "--analyze", "--precompile", "-emit-ast", "-###"})
    EXPECT_FALSE(parse({flag, "a.c"}).generatesCode()) << flag;
  for (const char *flag : {"-S", "-c", "-emit-llvm", "-shared", "-save-temps"})
    EXPECT_TRUE(parse({flag, "a.c"}).generatesCode()) << flag;
}

TEST(CommandLine, ValuesOfOptionsAreNoInputs) {
  CommandLine line = parse({"-o", "x.c", "-MF", "y.c", "-include", "z.c", "-Xlinker", "w.c", "a.o"});
  ASSERT_EQ(line.inputs.size(), 1u);
  EXPECT_EQ(line.inputs[0].name, "a.o");
  EXPECT_EQ(line.output, "x.c");
}

TEST(CommandLine, InputsMayFollowTwoDashes) {
  CommandLine line = parse({"-c", "--", "a.c"});
  EXPECT_TRUE(line.generatesCode());
}

TEST(CommandLine, TheLastDebugLevelWins) {
  EXPECT_EQ(debugOf({}), DebugLevel::None);
  EXPECT_EQ(debugOf({"-g"}), DebugLevel::Full);
  EXPECT_EQ(debugOf({"-g", "-g0"}), DebugLevel::None);
  EXPECT_EQ(debugOf({"-g0", "-gdwarf-5"}), DebugLevel::Full);
  EXPECT_EQ(debugOf({"-gdwarf-4", "-g1"}), DebugLevel::Lines);
  EXPECT_EQ(debugOf({"-gline-tables-only"}), DebugLevel::Lines);
  EXPECT_EQ(debugOf({"-gmlt"}), DebugLevel::Lines);
  EXPECT_EQ(debugOf({"-ggdb1"}), DebugLevel::Lines);
  EXPECT_EQ(debugOf({"-ggdb0"}), DebugLevel::None);
  EXPECT_EQ(debugOf({"-ggdb3"}), DebugLevel::Full);
}

TEST(CommandLine, FlagsAboutTheFormOfDebugInfoNameNoLevel) {
  EXPECT_EQ(debugOf({"-gsplit-dwarf"}), DebugLevel::None);
  EXPECT_EQ(debugOf({"-gz"}), DebugLevel::None);
  EXPECT_EQ(debugOf({"-g1", "-gsplit-dwarf"}), DebugLevel::Lines);
}

TEST(CommandLine, ForeignFlagsAreSeparatedAndTheRestKeepsItsOrder) {
  CommandLine line = parse({"-fno-such", "-O2", "-fno-tree-ch", "-o", "a.o", "-c", "a.c", "-gtoggle", "-Wall"});
  EXPECT_EQ(line.foreign, (Words{"-fno-such", "-fno-tree-ch", "-gtoggle"}));
  EXPECT_EQ(line.arguments, (Words{"-O2", "-o", "a.o", "-c", "a.c", "-Wall"}));
}

TEST(CommandLine, FlagsThatClangIgnoresInSilenceStay) {
  CommandLine line = parse({"-fno-var-tracking", "-frandom-seed=1", "-Wno-such-warning", "-c", "a.c"});
  EXPECT_EQ(line.foreign, Words{});
}

TEST(CommandLine, ANumberOfJobsForLinkTimeOptimisationIsForeign) {
  CommandLine line = parse({"-flto=8", "a.c"});
  EXPECT_EQ(line.foreign, Words{"-flto=8"});
  EXPECT_EQ(line.arguments, (Words{"-flto", "a.c"}));
  EXPECT_TRUE(line.facts.linkTimeOptimisation);
  EXPECT_EQ(parse({"-flto=thin", "-flto=auto", "a.c"}).foreign, Words{});
}

TEST(CommandLine, ALaterFlagTakesAFactBack) {
  EXPECT_FALSE(parse({"-flto", "-fno-lto", "a.c"}).facts.linkTimeOptimisation);
  EXPECT_FALSE(parse({"-m32", "-m64", "a.c"}).facts.narrow);
  EXPECT_TRUE(parse({"-m64", "-m32", "a.c"}).facts.narrow);
}

TEST(CommandLine, KernelsAreFreestanding) {
  EXPECT_TRUE(parse({"-ffreestanding", "a.c"}).facts.freestanding);
  EXPECT_TRUE(parse({"-mcmodel=kernel", "a.c"}).facts.freestanding);
  EXPECT_TRUE(parse({"-D__KERNEL__", "a.c"}).facts.freestanding);
  EXPECT_TRUE(parse({"-D", "__KERNEL__", "a.c"}).facts.freestanding);
  EXPECT_FALSE(parse({"-fno-builtin", "-nostdlib", "-mcmodel=large", "-DKERNEL", "a.c"}).facts.freestanding);
}

TEST(CommandLine, OnlySanitizersOfAccessesCountAsOthers) {
  EXPECT_TRUE(parse({"-fsanitize=thread", "a.c"}).facts.otherSanitizer);
  EXPECT_TRUE(parse({"-fsanitize=undefined,thread", "a.c"}).facts.otherSanitizer);
  EXPECT_TRUE(parse({"-fsanitize=kernel-address", "a.c"}).facts.otherSanitizer);
  EXPECT_FALSE(parse({"-fsanitize=address,undefined", "a.c"}).facts.otherSanitizer);
  EXPECT_FALSE(parse({"-fsanitize=thread", "-fno-sanitize=thread", "a.c"}).facts.otherSanitizer);
}

TEST(CommandLine, AMissingValueLosesNoArgument) {
  CommandLine line = parse({"-c", "a.c", "-o"});
  EXPECT_EQ(line.arguments, (Words{"-c", "a.c", "-o"}));
}

TEST(CommandLine, ResponseFilesAreReadByClangsRules) {
  std::string file = testing::TempDir() + "deadheat_response";
  std::ofstream(file) << "-c \"a b.c\"\n-DX='1 2'\n";
  EXPECT_EQ(expandResponseFiles({"-O2", "@" + file, "-g"}), (Words{"-O2", "-c", "a b.c", "-DX=1 2", "-g"}));
  EXPECT_EQ(expandResponseFiles({"@" + file + ".missing"}), Words{"@" + file + ".missing"});
}

} // namespace
} // namespace deadheat::capture
