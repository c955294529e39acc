// docs/user/knowledge.md is the table in words. This test holds it to the table; with DEADHEAT_WRITE_DOCS=1 it writes it.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <vector>

#include <gtest/gtest.h>

#include "knowledge/table.h"

namespace deadheat::knowledge {
namespace {

constexpr const char *kSets[] = {"POSIX", "C11",     "C++", "OpenMP", "GLib", "Apache Portable Runtime",
                                 "libuv", "OpenSSL", "SDL", "Linux",  "User"}; // by Set

struct FlagWords {
  unsigned short flag;
  const char *words;
};

constexpr FlagWords kFlags[] = {
    {kTry, "may fail"},
    {kTimed, "timed"},
    {kInterruptsOff, "interrupts off"},
    {kInterruptsOn, "interrupts on"},
    {kBottomOff, "bottom halves off"},
    {kBottomOn, "bottom halves on"},
    {kEveryArgument, "every argument"},
    {kJoins, "returns when it has ended"},
    {kMany, "several instances"},
};

std::string place(signed char column) {
  return column == kResult ? "the result" : "argument " + std::to_string(column);
}

std::vector<std::string> wordsOf(const Row &row) {
  std::vector<std::string> words;
  if (row.kind != Kind::None) words.emplace_back(nameOf(row.kind));
  if (row.action == Action::Spawn) words.emplace_back(nameOf(row.context));
  if (row.object != kNone) words.push_back(place(row.object));
  if (row.mode == Mode::Shared) words.emplace_back("shared");
  if (row.lock != kNone) words.push_back("lock: " + place(row.lock));
  if (row.entry != kNone) words.push_back("entry: " + place(row.entry));
  if (row.success == Success::Zero) words.emplace_back("0 is success");
  if (row.success == Success::NonZero) words.emplace_back("not 0 is success");
  if (row.success == Success::MinusOne) words.emplace_back("-1 is success");
  for (const FlagWords &flag : kFlags)
    if (row.has(flag.flag)) words.emplace_back(flag.words);
  return words;
}

std::string join(const std::vector<std::string> &words, const char *separator) {
  std::string text;
  for (const std::string &word : words) text += (text.empty() ? "" : separator) + word;
  return text;
}

std::string page() {
  std::ostringstream out;
  out << "# What Deadheat knows of libraries\n\n"
      << "Generated from src/knowledge/*.def. Arguments are counted from 0; names are the linker's. Your own locks, "
         "threads\n"
      << "and allocators go into `deadheat.toml` (configuration.md).\n";
  for (size_t set = 0; set < std::size(kSets); ++set) {
    std::map<std::pair<Action, std::string>, std::vector<std::string>> groups;
    for (const Row &row : kRows)
      if (static_cast<size_t>(row.set) == set)
        groups[{row.action, join(wordsOf(row), ", ")}].push_back("`" + std::string(row.name) + (row.prefix ? "*" : "") +
                                                                 row.ending + "`");
    if (groups.empty()) continue;
    out << "\n## " << kSets[set] << "\n\n| does | how | functions |\n|---|---|---|\n";
    for (const auto &[key, names] : groups)
      out << "| " << nameOf(key.first) << " | " << key.second << " | " << join(names, " ") << " |\n";
  }
  out << "\n## The words\n\n| does | meaning |\n|---|---|\n";
  for (size_t action = 0; action <= static_cast<size_t>(Action::Free); ++action)
    out << "| " << nameOf(static_cast<Action>(action)) << " | " << sentenceOf(static_cast<Action>(action)) << " |\n";
  return out.str();
}

TEST(KnowledgePage, SaysWhatTheTableSays) {
  std::string path = DEADHEAT_FORMATS "/../../docs/user/knowledge.md";
  if (std::getenv("DEADHEAT_WRITE_DOCS")) std::ofstream(path) << page();
  std::ifstream file(path);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_TRUE(text == page())
      << "run deadheat_knowledge_test with DEADHEAT_WRITE_DOCS=1 and commit docs/user/knowledge.md";
}

} // namespace
} // namespace deadheat::knowledge
