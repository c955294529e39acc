#include "driver/findings_cache.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include "finding/in_batches.h"
#include "finding/json.h"
#include "support/file.h"

namespace deadheat::driver {

namespace fs = llvm::sys::fs;

static constexpr char kPrefix[] = "findings-";
static constexpr char kEnd[] = "end"; // a file without it is not whole

static std::string pathOf(const std::string &folder, llvm::StringRef name) {
  llvm::SmallString<256> path(folder);
  llvm::sys::path::append(path, name);
  return path.str().str();
}

static uint64_t hashOfFile(const std::string &path) {
  auto bytes = readFile(path);
  return bytes ? llvm::xxh3_64bits((*bytes)->getBuffer()) : 0;
}

FindingsCache::FindingsCache(std::string folder, const link::Program &program, const std::string &config)
    : folder_(std::move(folder)) {
  uint64_t self = hashOfFile("/proc/self/exe");
  if (self == 0 || folder_.empty()) return;
  std::string key;
  llvm::raw_string_ostream text(key);
  text << self << ' ' << hashOfFile(config) << '\n';
  for (size_t i = 0; i < program.units.size(); ++i)
    text << program.binaryOf[i] << ' ' << program.units[i].checksum << ' ' << program.units[i].unit.source << '\n';
  // How the binaries come together is not in their models: it shows in who calls whom.
  for (uint32_t site = 0; site < program.calls.sites.size(); ++site)
    for (link::FuncId callee : program.calls.callees[link::CallSiteId(site)]) text << callee.value() << ' ';
  llvm::XXH128_hash_t hash = llvm::xxh3_128bits(llvm::arrayRefFromStringRef(key));
  name_ = kPrefix + llvm::utohexstr(hash.high64, true, 16) + llvm::utohexstr(hash.low64, true, 16) + ".json";
}

std::optional<finding::Findings> FindingsCache::load() const {
  if (name_.empty()) return std::nullopt;
  std::string path = pathOf(folder_, name_);
  auto bytes = readFile(path);
  if (!bytes) return std::nullopt;
  // Line by line: a kernel's findings are too many for one tree.
  auto [first, rest] = (*bytes)->getBuffer().split('\n');
  auto program = finding::parseProgram(first, path);
  if (!program || !rest.ends_with("\n")) return std::nullopt;
  llvm::SmallVector<llvm::StringRef> lines;
  rest.drop_back().split(lines, '\n');
  if (lines.back() != kEnd) return std::nullopt;
  lines.pop_back();
  auto list = finding::parseEach({lines.begin(), lines.end()}, path);
  if (!list) return std::nullopt;
  return finding::Findings{.program = std::move(*program), .list = std::move(*list)};
}

// The one of before is of no use any more: a program that changes every day does not fill its store.
void FindingsCache::store(const finding::Findings &found) const {
  if (name_.empty() || fs::create_directories(folder_)) return;
  std::error_code error;
  for (fs::directory_iterator next(folder_, error), end; next != end && !error; next.increment(error))
    if (llvm::sys::path::filename(next->path()).starts_with(kPrefix)) fs::remove(next->path());
  llvm::consumeError(llvm::writeToOutput(pathOf(folder_, name_), [&](llvm::raw_ostream &out) {
    out << llvm::json::Value(toJson(found.program)) << '\n';
    finding::inBatches(
        found.list.size(), [&](size_t i) { return textOf(found.list[i]); },
        [&](size_t, const std::string &text) { out << text << '\n'; });
    out << kEnd << '\n';
    return llvm::Error::success();
  }));
}

} // namespace deadheat::driver
