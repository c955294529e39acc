#include "capture/probe.h"

#include <gtest/gtest.h>

namespace deadheat::capture {
namespace {

bool probes(const std::vector<std::string> &arguments, const std::string &directory = "/home/me/project/build") {
  return isProbe(parse(arguments), directory);
}

TEST(Probe, AutoconfAndLibtoolCompileConftest) {
  EXPECT_TRUE(probes({"-c", "-g", "-O2", "conftest.c"}));
  EXPECT_TRUE(probes({"-o", "conftest", "conftest.c", "-lpthread"}));
  EXPECT_TRUE(probes({"-o", "conftest", "conftstm.o"}));
}

TEST(Probe, CMakeWorksInItsScratchFolders) {
  std::string build = "/home/me/project/build/CMakeFiles/";
  EXPECT_TRUE(probes({"CMakeCCompilerId.c"}, build + "3.25.1/CompilerIdC"));
  EXPECT_TRUE(probes({"-c", "src.cxx"}, build + "CMakeScratch/TryCompile-a1b2c3"));
  EXPECT_TRUE(probes({"-c", build + "CMakeTmp/CheckSymbol.c"}));
  EXPECT_TRUE(probes({"a.o", "-o", "cmTC_1a2b3"}));
}

TEST(Probe, MesonWorksInItsPrivateFolder) {
  EXPECT_TRUE(probes({"meson-private/sanitycheckc.c", "-o", "meson-private/sanitycheckc.exe"}));
  EXPECT_TRUE(probes({"-c", "testfile.c"}, "/b/meson-private/tmpab12"));
}

TEST(Probe, KbuildCompilesNothingIntoANumberedFolder) {
  EXPECT_TRUE(probes({"-Werror", "-c", "-x", "c", "/dev/null", "-o", ".tmp_1234/tmp"}));
  EXPECT_TRUE(probes({"-c", "-x", "c", "-", "-o", ".tmp_1234/tmp.o"}));
  EXPECT_TRUE(probes({"-c", "-x", "c", "-", "-o", "/dev/null"}));
}

TEST(Probe, FromAPipeIntoAPipeIsAProbe) {
  EXPECT_TRUE(probes({"-S", "-x", "c", "-c", "-O0", "-", "-o", "-"}));
  EXPECT_FALSE(probes({"-S", "-x", "c", "-", "-o", "a.s"}));
  EXPECT_FALSE(probes({"-S", "a.c", "-o", "-"}));
}

TEST(Probe, FromAPipeIntoAFileOfMktempIsAProbe) {
  EXPECT_TRUE(probes({"-c", "-x", "c", "-", "-o", "/tmp/tmp.Xk2pQ9.o"}));
  EXPECT_FALSE(probes({"-c", "a.c", "-o", "tmp.o"}));
}

TEST(Probe, WhatSomebodyKeepsIsNoProbe) {
  EXPECT_FALSE(probes({"-c", "a.c", "-o", "a.o"}));
  EXPECT_FALSE(probes({"-c", "../src/my_conftest.c"}));
  EXPECT_FALSE(probes({"-c", "init/main.c", "-o", "init/.tmp_main.o"}));
  EXPECT_FALSE(probes({"-c", "a.c", "-o", "CMakeFiles/app.dir/a.c.o"}));
  EXPECT_FALSE(probes({"-c", "a.c", "-MF", "/dev/null"}));
  EXPECT_FALSE(probes({"-c", "a.c", "-include", "/dev/null"}));
}

} // namespace
} // namespace deadheat::capture
