#include "symbol/needed.h"

#include <gtest/gtest.h>

#include "symbol/tiny_elf.h"

namespace deadheat::symbol {
namespace {

using namespace llvm::ELF;

std::string entry(int64_t tag, uint64_t value) {
  Elf64_Dyn row = {};
  row.d_tag = tag;
  row.d_un.d_val = value;
  return raw(row);
}

// A program that needs two libraries and looks for them along `list`, in an entry of kind `tag`.
std::string needing(std::string_view first, std::string_view second, int64_t tag, std::string_view list) {
  std::string strings = '\0' + std::string(first) + '\0' + std::string(second) + '\0' + std::string(list) + '\0';
  uint64_t secondAt = 2 + first.size(), listAt = secondAt + second.size() + 1;
  std::string dynamic = entry(DT_NEEDED, 1) + entry(DT_NEEDED, secondAt) + entry(tag, listAt) +
                        entry(DT_STRTAB, firstSegment(2)) + entry(DT_STRSZ, strings.size()) + entry(DT_NULL, 0);
  strings.resize((strings.size() + 7) / 8 * 8); // the dynamic segment that follows must be aligned
  return program({{PT_LOAD, strings}, {PT_DYNAMIC, dynamic}});
}

TEST(NeededLibraries, AreFoundAlongTheRunPathBesideTheProgram) {
  TemporaryFile library("");
  for (const char *list : {"$ORIGIN", "/nowhere:${ORIGIN}/."})
    for (int64_t tag : {DT_RUNPATH, DT_RPATH}) {
      TemporaryFile file(needing(library.name(), "libnowhere.so.1", tag, list));
      auto libraries = neededLibraries(file.path());
      ASSERT_TRUE(libraries) << libraries.error().text();
      ASSERT_EQ(libraries->size(), 2u);
      EXPECT_TRUE(llvm::sys::fs::equivalent(libraries->at(0).path, library.path())) << libraries->at(0).path;
      EXPECT_EQ(libraries->at(1), (NeededLibrary{"libnowhere.so.1", ""}));
    }
}

TEST(NeededLibraries, OfThisTestAreWhereTheSystemKeepsThem) {
  auto libraries = neededLibraries("/proc/self/exe");
  ASSERT_TRUE(libraries) << libraries.error().text();
  EXPECT_FALSE(libraries->empty());
  for (const NeededLibrary &library : *libraries) EXPECT_TRUE(llvm::sys::fs::exists(library.path)) << library.name;
}

TEST(NeededLibraries, AreNoneWithoutADynamicSegment) {
  auto libraries = neededLibraries(TemporaryFile(program({{PT_LOAD, "code"}})).path());
  ASSERT_TRUE(libraries) << libraries.error().text();
  EXPECT_TRUE(libraries->empty());
}

TEST(NeededLibraries, SurviveEveryCutAndEveryFlippedBit) {
  std::string good = needing("liba.so", "libb.so", DT_RUNPATH, "/nowhere");
  for (size_t size = 1; size < good.size(); ++size)
    EXPECT_FALSE(neededLibraries(TemporaryFile(good.substr(0, size)).path())) << size << " bytes";
  unsigned refused = 0;
  for (size_t bit = 0; bit < good.size() * 8; ++bit) {
    std::string flipped = good;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    refused += !neededLibraries(TemporaryFile(flipped).path());
  }
  EXPECT_GT(refused, 0u);
}

TEST(NeededLibraries, AreNotAskedOfWhatIsNoElf) {
  TemporaryFile script("#!/bin/sh\n");
  EXPECT_EQ(neededLibraries(script.path()).error().text(),
            script.path() + ": it is not a 64-bit ELF program or library (it is of another kind): build it again");
}

} // namespace
} // namespace deadheat::symbol
