#include "capture/compile_commands.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

#include "capture/command_line.h"
#include "support/file.h"

namespace deadheat::capture {

using llvm::StringRef;
using Words = std::vector<std::string>;

namespace {

constexpr char kFileName[] = "compile_commands.json";
constexpr char kHint[] = "write it again, with CMake: -DCMAKE_EXPORT_COMPILE_COMMANDS=ON";

// Programs that run the compiler that follows them.
constexpr StringRef kLaunchers[] = {"ccache", "sccache", "distcc", "icecc", "deadheat"};

Words tokenise(StringRef line) {
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char *> words;
  llvm::cl::TokenizeGNUCommandLine(line, saver, words);
  return {words.begin(), words.end()};
}

std::string absolute(StringRef folder, StringRef path) {
  llvm::SmallString<256> result(path);
  llvm::sys::fs::make_absolute(folder, result);
  llvm::sys::path::remove_dots(result, /*remove_dot_dot=*/true);
  return result.str().str();
}

// What is wrong with an entry, or nothing.
StringRef readWords(const llvm::json::Object &entry, Words &words) {
  if (const llvm::json::Array *list = entry.getArray("arguments")) {
    for (const llvm::json::Value &word : *list) {
      if (!word.getAsString()) return "\"arguments\" is not a list of words";
      words.push_back(word.getAsString()->str());
    }
  } else if (auto line = entry.getString("command")) {
    words = tokenise(*line);
  } else {
    return "it has neither \"command\" nor \"arguments\"";
  }
  return words.empty() ? "its command is empty" : "";
}

StringRef readEntry(const llvm::json::Value &value, const std::string &folder, UnitCommand &unit) {
  const llvm::json::Object *entry = value.getAsObject();
  if (!entry) return "it is not an object";
  auto file = entry->getString("file"), directory = entry->getString("directory");
  if (!file || file->empty()) return "it has no \"file\"";
  if (!directory) return "it has no \"directory\"";
  Words words;
  if (StringRef fault = readWords(*entry, words); !fault.empty()) return fault;
  while (words.size() > 1 && llvm::is_contained(kLaunchers, llvm::sys::path::stem(words.front())))
    words.erase(words.begin());
  unit.file = file->str();
  unit.directory = absolute(folder, *directory);
  unit.compiler = words.front();
  unit.arguments = expandResponseFiles({words.begin() + 1, words.end()}, unit.directory);
  return "";
}

std::string identity(const UnitCommand &unit) {
  return llvm::join_items('\0', unit.directory, unit.file, unit.compiler,
                          llvm::join(unit.arguments, StringRef("\0", 1)));
}

} // namespace

Expected<std::vector<UnitCommand>> parseCompileCommands(const std::string &text, const std::string &folder,
                                                        const std::string &name) {
  llvm::Expected<llvm::json::Value> document = llvm::json::parse(text);
  if (!document) return fail(name + ": it is not JSON: " + llvm::toString(document.takeError()), kHint);
  const llvm::json::Array *entries = document->getAsArray();
  if (!entries) return fail(name + ": it is not a list of entries", kHint);
  std::vector<UnitCommand> units;
  llvm::StringSet<> seen;
  for (size_t i = 0; i < entries->size(); ++i) {
    UnitCommand unit;
    if (StringRef fault = readEntry((*entries)[i], folder, unit); !fault.empty())
      return fail(name + ": entry " + std::to_string(i + 1) + ": " + fault.str(), kHint);
    if (isSource(unit.file) && seen.insert(identity(unit)).second) units.push_back(std::move(unit));
  }
  if (units.empty()) return fail(name + ": it has no entry that compiles C or C++", kHint);
  return units;
}

Expected<std::vector<UnitCommand>> readCompileCommands(const std::string &path) {
  llvm::SmallString<256> name(path);
  if (llvm::sys::fs::is_directory(path)) llvm::sys::path::append(name, kFileName);
  auto file = readFile(name.str().str());
  if (!file) return std::unexpected(file.error());
  llvm::SmallString<256> folder(name);
  llvm::sys::fs::make_absolute(folder);
  llvm::sys::path::remove_filename(folder);
  return parseCompileCommands((*file)->getBuffer().str(), folder.str().str(), name.str().str());
}

} // namespace deadheat::capture
