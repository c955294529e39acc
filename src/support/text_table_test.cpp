#include "support/text_table.h"

#include <gtest/gtest.h>

namespace deadheat {
namespace {

std::string shown(const TextTable &table) {
  std::string text;
  llvm::raw_string_ostream out(text);
  table.print(out, "> ");
  return text;
}

TEST(TextTable, MakesEveryColumnAsWideAsItsWidestCell) {
  TextTable table({TextTable::Align::Right, TextTable::Align::Left, TextTable::Align::Left});
  table.add({"7", "read", "x"});
  table.add({"12", "w", ""});
  EXPECT_EQ(shown(table), ">  7  read  x\n> 12  w\n");
}

TEST(TextTable, CountsLettersNotBytes) {
  TextTable table({TextTable::Align::Left, TextTable::Align::Left});
  table.add({"größe", "a"});
  table.add({"count", "b"});
  EXPECT_EQ(shown(table), "> größe  a\n> count  b\n");
}

TEST(TextTable, ShowsControlCharactersAsText) {
  TextTable table({TextTable::Align::Left});
  table.add({"a\x1b[2J\nb"});
  EXPECT_EQ(shown(table), "> a\\x1b[2J\\x0ab\n");
}

} // namespace
} // namespace deadheat
