#include "capture/unit_cache.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

namespace deadheat::capture {

namespace fs = llvm::sys::fs;
using llvm::StringRef;

namespace {

constexpr char kListSuffix[] = ".deps";
constexpr char kModelSuffix[] = ".dhm";

// A word of a makefile: spaces and # are behind a backslash, $ is doubled, a backslash at the end of a line is a space.
std::string takeWord(StringRef &text) {
  std::string word;
  while (!text.empty()) {
    if (text.starts_with("\\\n") || llvm::isSpace(text.front())) break;
    if (text.size() > 1 && (text.starts_with("\\ ") || text.starts_with("\\#") || text.starts_with("$$")))
      text = text.drop_front();
    word += text.front();
    text = text.drop_front();
  }
  return word;
}

void skipSpace(StringRef &text) {
  while (text.starts_with("\\\n") || (!text.empty() && llvm::isSpace(text.front())))
    text = text.drop_front(text.starts_with("\\\n") ? 2 : 1);
}

std::vector<std::string> lines(StringRef text) {
  llvm::SmallVector<StringRef> list;
  text.split(list, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  return {list.begin(), list.end()};
}

Expected<void> write(const std::string &path, const std::string &bytes) {
  llvm::Error error = llvm::writeToOutput(path, [&](llvm::raw_ostream &out) {
    out << bytes;
    return llvm::Error::success();
  });
  if (error)
    return fail(path + ": " + llvm::toString(std::move(error)),
                "make the folder writable, or choose another with --db");
  return {};
}

bool changedSince(const std::string &file, llvm::sys::TimePoint<> time) {
  fs::file_status status;
  return fs::status(file, status) || status.getLastModificationTime() >= time;
}

} // namespace

std::vector<std::string> readDependencies(const std::string &makeText) {
  StringRef text = makeText;
  std::vector<std::string> names;
  bool target = true; // the first word, which ends in a colon
  for (skipSpace(text); !text.empty(); skipSpace(text)) {
    std::string word = takeWord(text);
    if (!target) names.push_back(std::move(word));
    target = false;
  }
  return names;
}

std::string UnitCache::path(uint64_t hash, const char *suffix) const {
  llvm::SmallString<256> result(folder_);
  llvm::sys::path::append(result, llvm::utohexstr(hash, /*LowerCase=*/true, /*Width=*/16) + suffix);
  return result.str().str();
}

std::optional<uint64_t> UnitCache::hashOf(const std::string &file) {
  {
    std::lock_guard hold(mutex_);
    if (auto known = hashes_.find(file); known != hashes_.end()) return known->second;
  }
  std::optional<uint64_t> hash;
  if (auto bytes = llvm::MemoryBuffer::getFile(file, /*IsText=*/false, /*RequiresNullTerminator=*/false))
    hash = llvm::xxh3_64bits((*bytes)->getBuffer());
  std::lock_guard hold(mutex_);
  hashes_[file] = hash;
  return hash;
}

std::optional<uint64_t> UnitCache::contentOf(uint64_t command, const std::vector<std::string> &dependencies) {
  std::string text = llvm::utohexstr(command);
  for (const std::string &file : dependencies) {
    std::optional<uint64_t> hash = hashOf(file);
    if (!hash) return std::nullopt;
    text += file + '\0' + llvm::utohexstr(*hash) + '\n';
  }
  return llvm::xxh3_64bits(text);
}

std::optional<std::string> UnitCache::find(uint64_t command) {
  auto list = llvm::MemoryBuffer::getFile(path(command, kListSuffix));
  if (!list) return std::nullopt;
  std::optional<uint64_t> content = contentOf(command, lines((*list)->getBuffer()));
  if (!content || !fs::exists(path(*content, kModelSuffix))) return std::nullopt;
  return path(*content, kModelSuffix);
}

Expected<std::string> UnitCache::add(uint64_t command, const std::vector<std::string> &dependencies,
                                     const std::string &model, llvm::sys::TimePoint<> begun) {
  std::optional<uint64_t> content = contentOf(command, dependencies);
  if (!content) return fail(folder_ + ": a source vanished while it was compiled", "start again");
  std::string stored = path(*content, kModelSuffix);
  if (std::error_code error = fs::rename(model, stored))
    return fail(stored + ": " + error.message(), "make the folder writable, or choose another with --db");
  for (const std::string &file : dependencies)
    if (changedSince(file, begun)) return stored;
  auto written = write(path(command, kListSuffix), llvm::join(dependencies, "\n") + "\n");
  if (!written) return std::unexpected(written.error());
  return stored;
}

} // namespace deadheat::capture
