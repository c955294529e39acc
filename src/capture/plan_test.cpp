#include "capture/plan.h"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace deadheat::capture {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;
using testing::StartsWith;
using Words = std::vector<std::string>;

Environment usual() {
  Environment environment;
  environment.compiler = {"clang"};
  environment.plugin = "/lib/plugin.so";
  environment.pluginStamp = "7";
  environment.workingDirectory = "/src";
  return environment;
}

Plan planOf(const Words &arguments, const Environment &environment = usual()) {
  Expected<Plan> plan = planCompile(arguments, arguments, environment);
  EXPECT_TRUE(plan.has_value());
  return plan.value_or(Plan{});
}

bool usesPlugin(const Plan &plan) {
  return std::find(plan.command.begin(), plan.command.end(), "-fpass-plugin=/lib/plugin.so") != plan.command.end();
}

std::string modeOf(const Plan &plan) {
  for (const auto &[name, value] : plan.variables)
    if (name == "DEADHEAT_MODE") return value;
  return "none";
}

Plan planInMode(const char *mode, const Words &arguments) {
  Environment environment = usual();
  environment.mode = mode;
  return planOf(arguments, environment);
}

TEST(Plan, ACompileRunsWithThePluginAndFallsBackToTheUsersCommand) {
  Plan plan = planOf({"-O2", "-c", "a.c"});
  EXPECT_TRUE(usesPlugin(plan));
  EXPECT_THAT(plan.fallback, ElementsAre("clang", "-Wno-unknown-warning-option", "-O2", "-c", "a.c"));
  EXPECT_TRUE(std::equal(plan.command.end() - 3, plan.command.end(), plan.fallback.end() - 3));
  EXPECT_THAT(plan.notes, IsEmpty());
}

TEST(Plan, AnotherClangThanThePluginsCompilesOnceWithoutItAndIsNamed) {
  Environment environment = usual();
  environment.compilerVersion = "14.0.6";
  Plan plan = planOf({"-c", "a.c"}, environment);
  EXPECT_FALSE(usesPlugin(plan));
  EXPECT_THAT(plan.fallback, IsEmpty());
  ASSERT_EQ(plan.notes.size(), 1u);
  EXPECT_NE(plan.notes[0].find("14.0.6"), std::string::npos);
  environment.compilerVersion = "19.1.1";
  EXPECT_TRUE(usesPlugin(planOf({"-c", "a.c"}, environment)));
}

TEST(Plan, OnlyWhatIsInstrumentedCanLoseItsInstrumentationAlone) {
  EXPECT_FALSE(planOf({"-c", "a.c"}).modelOnly.empty());
  EXPECT_TRUE(planInMode("extract", {"-c", "a.c"}).modelOnly.empty());
  EXPECT_TRUE(planOf({"-c", "a.c", "-o", "-"}).modelOnly.empty());
}

TEST(Plan, WhatGeneratesNoCodeIsOneCommandWithoutThePlugin) {
  for (const Words &arguments : {Words{"-E", "a.c"}, {"a.o", "-o", "a"}, {"-c", "a.S"}, {"-M", "a.c"}, {"a.h"}}) {
    Plan plan = planOf(arguments);
    EXPECT_FALSE(usesPlugin(plan)) << arguments.back();
    EXPECT_THAT(plan.fallback, IsEmpty());
    EXPECT_THAT(plan.variables, IsEmpty());
  }
}

TEST(Plan, TheFrontEndMakesFullDebugInfoWhateverTheUserKeeps) {
  const char kind[] = "-debug-info-kind=standalone";
  EXPECT_THAT(planOf({"-c", "a.c"}).command, Contains(kind));
  EXPECT_THAT(planOf({"-c", "a.c"}).command, Contains("-dwarf-version=5"));
  EXPECT_THAT(planOf({"-g1", "-c", "a.c"}).command, Contains(kind));
  EXPECT_THAT(planOf({"-g1", "-c", "a.c"}).command, Not(Contains("-dwarf-version=5")));
  EXPECT_THAT(planOf({"-g", "-c", "a.c"}).command, Contains(kind));
  EXPECT_THAT(planOf({"-g", "-c", "a.c"}).command, Not(Contains("-dwarf-version=5")));
}

TEST(Plan, ThePluginLearnsTheUsersDebugLevel) {
  EXPECT_THAT(planOf({"-c", "a.c"}).variables, Contains(Pair("DEADHEAT_DEBUG", "none")));
  EXPECT_THAT(planOf({"-g1", "-c", "a.c"}).variables, Contains(Pair("DEADHEAT_DEBUG", "lines")));
  EXPECT_THAT(planOf({"-g", "-c", "a.c"}).variables, Contains(Pair("DEADHEAT_DEBUG", "full")));
}

TEST(Plan, EachModeReachesThePluginAndOffIsPlainClang) {
  for (const char *mode : {"full", "extract", "instrument"}) EXPECT_EQ(modeOf(planInMode(mode, {"-c", "a.c"})), mode);
  EXPECT_EQ(modeOf(planInMode("", {"-c", "a.c"})), "full");
  EXPECT_THAT(planInMode("off", {"-fno-such", "-c", "a.c"}).command, ElementsAre("clang", "-fno-such", "-c", "a.c"));
}

TEST(Plan, AnUnknownModeIsAnErrorThatNamesTheModes) {
  Environment environment = usual();
  environment.mode = "fast";
  Expected<Plan> plan = planCompile({"-c", "a.c"}, {"-c", "a.c"}, environment);
  ASSERT_FALSE(plan.has_value());
  EXPECT_EQ(plan.error().text(), "DEADHEAT_MODE=fast is no mode: use full, extract, instrument or off");
}

TEST(Plan, CodeThatNoRuntimeCanAttachToIsOnlyModelled) {
  for (const char *flag : {"-ffreestanding", "-mcmodel=kernel", "-fsanitize=thread", "-m32"}) {
    EXPECT_EQ(modeOf(planOf({flag, "-c", "a.c"})), "extract") << flag;
    EXPECT_EQ(modeOf(planInMode("extract", {flag, "-c", "a.c"})), "extract") << flag;
    EXPECT_FALSE(usesPlugin(planInMode("instrument", {flag, "-c", "a.c"}))) << flag;
  }
}

TEST(Plan, ForeignFlagsAreLeftOutOfBothCommandsWithOneNote) {
  Plan plan = planOf({"-fno-such", "-fnor-such", "-c", "a.c"});
  EXPECT_THAT(plan.command, Not(Contains("-fno-such")));
  EXPECT_THAT(plan.fallback, Not(Contains("-fnor-such")));
  EXPECT_THAT(plan.notes, ElementsAre(HasSubstr("-fno-such -fnor-such")));
}

TEST(Plan, ResponseFilesArePassedOnUnlessAFlagInsideMustGo) {
  Expected<Plan> kept = planCompile({"@file"}, {"-c", "a.c"}, usual());
  ASSERT_TRUE(kept.has_value());
  EXPECT_EQ(kept->command.back(), "@file");
  Expected<Plan> opened = planCompile({"@file"}, {"-fno-such", "-c", "a.c"}, usual());
  ASSERT_TRUE(opened.has_value());
  EXPECT_THAT(opened->fallback, ElementsAre("clang", "-Wno-unknown-warning-option", "-c", "a.c"));
}

TEST(Plan, AProbeIsClangToTheLetter) {
  Plan plan = planOf({"-fno-such", "-flto", "-static", "conftest.c"});
  EXPECT_THAT(plan.command, ElementsAre("clang", "-fno-such", "-flto", "-static", "conftest.c"));
  EXPECT_THAT(plan.fallback, IsEmpty());
  EXPECT_THAT(plan.notes, IsEmpty());
}

TEST(Plan, WhatIsLostIsToldAtTheLinkAndNotBefore) {
  EXPECT_THAT(planOf({"-static", "a.o"}).notes, ElementsAre(StartsWith("-static: ")));
  EXPECT_THAT(planOf({"-flto", "a.o"}).notes, ElementsAre(StartsWith("-flto: ")));
  EXPECT_THAT(planOf({"-fsanitize=thread", "a.o"}).notes, ElementsAre(StartsWith("-fsanitize: ")));
  EXPECT_THAT(planOf({"-static", "-flto", "-fsanitize=thread", "-c", "a.c"}).notes, IsEmpty());
}

TEST(Plan, QuietMeansNoNotesAtAll) {
  Environment environment = usual();
  environment.quiet = true;
  Plan plan = planOf({"-fno-such", "-static", "a.c"}, environment);
  EXPECT_THAT(plan.notes, IsEmpty());
  EXPECT_THAT(plan.failureNote, IsEmpty());
  EXPECT_TRUE(usesPlugin(plan));
}

TEST(Plan, StrictHasNoFallback) {
  Environment environment = usual();
  environment.strict = true;
  Plan plan = planOf({"-c", "a.c"}, environment);
  EXPECT_TRUE(usesPlugin(plan));
  EXPECT_THAT(plan.fallback, IsEmpty());
}

TEST(Plan, WithoutAPluginTheUnitIsCompiledPlainAndThatIsTold) {
  Environment environment = usual();
  environment.pluginStamp = "";
  Plan plan = planOf({"-c", "a.c"}, environment);
  EXPECT_FALSE(usesPlugin(plan));
  EXPECT_THAT(plan.notes, ElementsAre(HasSubstr("no plugin at /lib/plugin.so")));
}

std::string cacheKeyOf(const Words &arguments, const Environment &environment) {
  for (const std::string &word : planOf(arguments, environment).command)
    if (word.starts_with("-frandom-seed=")) return word;
  return "";
}

TEST(Plan, TheCacheKeyChangesWithModeDebugLevelPluginAndFolder) {
  EXPECT_EQ(cacheKeyOf({"-c", "a.c"}, usual()), "");
  Environment first = usual();
  first.compiler = {"/usr/bin/ccache", "clang"};
  Environment mode = first, plugin = first, folder = first;
  mode.mode = "extract";
  plugin.pluginStamp = "8";
  folder.workingDirectory = "/elsewhere";
  std::set<std::string> keys = {cacheKeyOf({"-c", "a.c"}, first),  cacheKeyOf({"-g", "-c", "a.c"}, first),
                                cacheKeyOf({"-c", "a.c"}, mode),   cacheKeyOf({"-c", "a.c"}, plugin),
                                cacheKeyOf({"-c", "a.c"}, folder), ""};
  EXPECT_EQ(keys.size(), 6u);
}

TEST(Plan, AModelBesideTheObjectForbidsTheCache) {
  Environment environment = usual();
  environment.modelDirectory = "/models";
  EXPECT_THAT(planOf({"-c", "a.c"}, environment).variables, Contains(Pair("CCACHE_DISABLE", "1")));
  EXPECT_THAT(planOf({"-c", "a.c"}).variables, Not(Contains(Pair("CCACHE_DISABLE", "1"))));
}

TEST(Plan, DiagnosticsLookAsTheTerminalWouldHaveThem) {
  Environment environment = usual();
  environment.colours = true;
  environment.columns = 90;
  EXPECT_THAT(planOf({"-c", "a.c"}, environment).command, Contains("-fcolor-diagnostics"));
  EXPECT_THAT(planOf({"-c", "a.c"}, environment).command, Contains("-fmessage-length=90"));
  Plan chosen = planOf({"-fno-color-diagnostics", "-fmessage-length=0", "-c", "a.c"}, environment);
  EXPECT_THAT(chosen.command, Not(Contains("-fcolor-diagnostics")));
  EXPECT_THAT(chosen.command, Not(Contains("-fmessage-length=90")));
}

TEST(Plan, StandardInputIsSpooledOnlyWhenItIsCompiled) {
  EXPECT_TRUE(planOf({"-c", "-xc", "-"}).spoolsInput);
  EXPECT_FALSE(planOf({"-c", "a.c"}).spoolsInput);
  EXPECT_FALSE(planOf({"-E", "-xc", "-"}).spoolsInput);
}

} // namespace
} // namespace deadheat::capture
