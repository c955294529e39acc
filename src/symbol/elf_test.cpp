#include "symbol/elf.h"

#include <gtest/gtest.h>

#include "symbol/tiny_elf.h"

namespace deadheat::symbol {
namespace {

using namespace llvm::ELF;

Elf64_Shdr section(uint32_t name, uint32_t type, size_t offset, size_t size) {
  Elf64_Shdr header = {};
  header.sh_name = name;
  header.sh_type = type;
  header.sh_offset = offset;
  header.sh_size = size;
  header.sh_addralign = 1;
  return header;
}

// An object with two sections of one name and nothing else.
std::string tinyObject(std::string_view first, std::string_view second) {
  std::string names("\0.deadheat\0.shstrtab\0", 21);
  Elf64_Ehdr header = elfHeader(ET_REL);
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 4;
  header.e_shstrndx = 3;
  header.e_shoff = sizeof(Elf64_Ehdr);
  size_t data = sizeof(Elf64_Ehdr) + 4 * sizeof(Elf64_Shdr);
  size_t text = data + first.size() + second.size();
  return raw(header) + raw(Elf64_Shdr{}) + raw(section(1, SHT_PROGBITS, data, first.size())) +
         raw(section(1, SHT_PROGBITS, data + first.size(), second.size())) +
         raw(section(11, SHT_STRTAB, text, names.size())) + std::string(first) + std::string(second) + names;
}

std::string member(std::string_view name, std::string_view bytes) {
  std::string header(60, ' ');
  std::string size = std::to_string(bytes.size());
  header.replace(0, name.size() + 1, std::string(name) + "/");
  header.replace(16, 1, "0").replace(28, 1, "0").replace(34, 1, "0").replace(40, 3, "644");
  header.replace(48, size.size(), size).replace(58, 2, "`\n");
  return header + std::string(bytes) + (bytes.size() % 2 ? "\n" : "");
}

Expected<std::string> sectionOf(std::string_view bytes) {
  auto contents = readSection(TemporaryFile(bytes).path(), ".deadheat");
  if (!contents) return std::unexpected(contents.error());
  return std::string(contents->begin(), contents->end());
}

TEST(ReadSection, JoinsAllSectionsOfTheName) { EXPECT_EQ(sectionOf(tinyObject("abc", "defg")), "abcdefg"); }

TEST(ReadSection, JoinsTheMembersOfAnArchiveAndPassesOverWhatIsNoElf) {
  EXPECT_EQ(sectionOf("!<arch>\n" + member("a.o", tinyObject("ab", "c")) + member("README", "text") +
                      member("b.o", tinyObject("d", "e"))),
            "abcde");
}

TEST(ReadSection, IsEmptyWhereThereIsNoSuchSection) {
  auto contents = readSection("/proc/self/exe", ".no_such_section");
  ASSERT_TRUE(contents) << contents.error().text();
  EXPECT_TRUE(contents->empty());
}

TEST(ReadSection, RefusesAnObjectThatIsCutAnywhere) {
  std::string object = tinyObject("abc", "defg");
  for (size_t size = 0; size < object.size(); ++size)
    EXPECT_FALSE(sectionOf(std::string_view(object).substr(0, size))) << size << " of " << object.size() << " bytes";
}

TEST(ReadSection, SurvivesEveryFlippedBit) {
  std::string object = tinyObject("abc", "defg");
  unsigned refused = 0;
  for (size_t bit = 0; bit < object.size() * 8; ++bit) {
    std::string flipped = object;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    auto contents = sectionOf(flipped);
    if (!contents)
      ++refused;
    else
      EXPECT_LE(contents->size(), object.size()) << "bit " << bit;
  }
  EXPECT_GT(refused, 0u);
}

TEST(ReadSection, SaysWhatTheFileIsInstead) {
  auto why = [](std::string_view bytes) {
    std::string text = sectionOf(bytes).error().text();
    return text.substr(text.find(": ") + 2);
  };
  EXPECT_EQ(why(""), "it is empty: build it again");
  EXPECT_EQ(why("#!/bin/sh\n"), "it is not an ELF file: name a program, a library or an object");
  EXPECT_EQ(why("BC\xC0\xDE rest"), "it is LLVM bitcode (-flto): name the program that was linked from it");
  EXPECT_EQ(readSection("/proc/self", ".text").error().text(), "/proc/self: it is a directory: name a file");
  EXPECT_EQ(readSection("/no/such", ".text").error().text(),
            "/no/such: it cannot be read: No such file or directory: check the name and the permissions");
}

// A program that is a note and nothing else.
std::string noteProgram(std::string_view id) {
  Elf64_Nhdr note = {4, static_cast<uint32_t>(id.size()), NT_GNU_BUILD_ID};
  std::string bytes = raw(note) + std::string("GNU\0", 4) + std::string(id);
  return program({{PT_NOTE, bytes}});
}

TEST(BuildId, IsTheNoteInHexadecimal) {
  EXPECT_EQ(buildId(TemporaryFile(noteProgram("\x01\xab\xcd\xef")).path()), "01abcdef");
}

TEST(BuildId, IsEmptyWhereThereIsNone) { EXPECT_EQ(buildId(TemporaryFile(tinyObject("a", "b")).path()), ""); }

} // namespace
} // namespace deadheat::symbol
