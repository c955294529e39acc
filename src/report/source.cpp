#include "report/source.h"

#include <algorithm>

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Unicode.h"

#include "support/text_table.h"

namespace deadheat::report {
namespace {

constexpr size_t kLongest = 200;       // bytes of a line that are shown: generated code has lines of megabytes
constexpr uint64_t kLargest = 1 << 28; // a larger file is not source

std::string shown(llvm::StringRef text) {
  std::string blanks = text.str();
  std::ranges::replace(blanks, '\t', ' ');
  return printable(blanks);
}

std::string caretBelow(llvm::StringRef line, uint32_t column) {
  if (column == 0 || column > line.size()) return {};
  std::string before = shown(line.take_front(column - 1));
  int width = llvm::sys::unicode::columnWidthUTF8(before);
  return std::string(width < 0 ? before.size() : static_cast<size_t>(width), ' ') + "^";
}

} // namespace

const Sources::File &Sources::load(const std::string &name) {
  auto [entry, isNew] = files_.try_emplace(name);
  File &file = entry->second;
  if (!isNew) return file;
  llvm::SmallString<256> path(name);
  if (!llvm::sys::path::is_absolute(path)) {
    path = root_;
    llvm::sys::path::append(path, name);
  }
  // Only a regular file: a pipe that a stranger's debug information names would never end.
  uint64_t size = 0;
  if (!llvm::sys::fs::is_regular_file(path) || llvm::sys::fs::file_size(path, size) || size > kLargest) return file;
  auto bytes = llvm::MemoryBuffer::getFile(path);
  if (!bytes) return file;
  file.bytes = std::move(*bytes);
  for (llvm::StringRef line : llvm::split(file.bytes->getBuffer(), '\n')) file.lines.push_back(line.rtrim("\r"));
  return file;
}

std::optional<Excerpt> Sources::excerpt(const finding::Place &place) {
  if (!place.known()) return std::nullopt;
  const File &file = load(place.file);
  if (place.line == 0 || place.line > file.lines.size()) return std::nullopt;
  llvm::StringRef line = file.lines[place.line - 1].take_front(kLongest);
  return Excerpt{shown(line), caretBelow(line, place.column)};
}

} // namespace deadheat::report
