#include "capture/model_units.h"

#include <chrono>
#include <cstdlib>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/xxhash.h"

#include "capture/quiet_child.h"
#include "capture/unit_cache.h"
#include "support/file.h"

namespace deadheat::capture {

namespace fs = llvm::sys::fs;
using llvm::StringRef;
using Words = std::vector<std::string>;

namespace {

constexpr char kSchemeOfKeys[] = "1"; // changes when a key means something else
constexpr char kFolderHint[] = "make the folder writable, or choose another with --db";

// By which clang finds headers, or changes its options, without a word on the command line.
constexpr const char *kVariables[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS",
                                      "SOURCE_DATE_EPOCH"};

std::string inside(StringRef folder, StringRef name) {
  llvm::SmallString<256> path(folder);
  llvm::sys::path::append(path, name);
  return path.str().str();
}

std::string absolute(StringRef folder, StringRef name) {
  llvm::SmallString<256> path(name);
  fs::make_absolute(folder, path);
  return path.str().str();
}

// Changes when the program does.
std::string stampOf(const Words &compiler) {
  std::string text;
  for (const std::string &word : compiler) {
    auto program = llvm::sys::findProgramByName(word);
    fs::file_status status;
    if (!program || fs::status(*program, status)) continue;
    text += *program + ' ' + std::to_string(status.getSize()) + ' ' +
            std::to_string(status.getLastModificationTime().time_since_epoch().count()) + '\n';
  }
  return text;
}

// What all units of a run have in common of their keys.
Expected<std::string> commonKey(const Compilers &compilers) {
  auto plugin = readFile(compilers.plugin);
  if (!plugin) return std::unexpected(plugin.error());
  std::string key = kSchemeOfKeys;
  key += llvm::utohexstr(llvm::xxh3_64bits((*plugin)->getBuffer())) + '\n';
  key += stampOf(compilers.clang) + stampOf(compilers.clangCxx);
  for (const char *variable : kVariables)
    if (const char *value = std::getenv(variable)) key += std::string(variable) + '=' + value + '\n';
  return key;
}

// The first line in which clang says what is wrong.
std::string failureOf(StringRef diagnostics) {
  llvm::SmallVector<StringRef> lines;
  diagnostics.split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef line : lines)
    if (line.contains("error:")) return line.str();
  return lines.empty() ? "clang failed without a word" : lines.front().str();
}

// A folder for what one compile writes; gone when it is done.
class Scratch {
public:
  explicit Scratch(StringRef parent) {
    if (fs::createUniqueDirectory(inside(parent, "unit"), folder_)) folder_.clear();
  }
  ~Scratch() {
    if (!folder_.empty()) fs::remove_directories(folder_);
  }
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;

  bool made() const { return !folder_.empty(); }
  std::string folder() const { return folder_.str().str(); }
  std::string file(StringRef name) const { return inside(folder_, name); }

  // The model, whatever name the plugin gave it.
  std::string model() const {
    std::error_code error;
    for (fs::directory_iterator next(folder_, error), end; next != end && !error; next.increment(error))
      if (StringRef(next->path()).ends_with(".dhm")) return next->path();
    return {};
  }

private:
  llvm::SmallString<256> folder_;
};

class Job {
public:
  Job(const ModelOptions &options, UnitCache &cache, const std::string &commonKey)
      : options_(options), cache_(cache), commonKey_(commonKey) {}

  ModelledUnit model(const UnitCommand &unit) const {
    Words command = extractCommand(unit, options_.compilers);
    uint64_t key = llvm::xxh3_64bits(commonKey_ + unit.directory + '\n' + llvm::join(command, StringRef("\0", 1)));
    if (auto known = cache_.find(key)) return {.model = *known};
    return compile(unit, std::move(command), key);
  }

private:
  ModelledUnit compile(const UnitCommand &unit, Words command, uint64_t key) const {
    Scratch scratch(cache_.folder());
    if (!scratch.made()) return {.failure = cache_.folder() + ": no folder can be made in it"};
    std::string list = scratch.file("read");
    llvm::append_range(command, Words{"-o", "/dev/null", "-MD", "-MT", "unit", "-MF", list});
    auto begun = std::chrono::system_clock::now();
    auto ended = runQuietly(command, unit.directory,
                            {{"DEADHEAT_MODE", "extract"},
                             {"DEADHEAT_MODEL_ONLY", "1"},
                             {"DEADHEAT_DEBUG", "full"},
                             {"DEADHEAT_MODEL_DIR", scratch.folder()},
                             {"CCACHE_DISABLE", "1"}},
                            scratch.file("diagnostics"));
    if (!ended) return {.failure = ended.error().text(), .compiled = true};
    std::string model = scratch.model();
    if (!ended->passed) return {.failure = failureOf(ended->diagnostics), .compiled = true};
    if (model.empty()) return {.failure = unit.file + ": the plugin made no model", .compiled = true};
    auto stored = cache_.add(key, filesRead(unit, list), model, begun);
    if (!stored) return {.failure = stored.error().text(), .compiled = true};
    return {.model = *stored, .compiled = true};
  }

  // Bitcode reads nothing but itself, and clang writes no list for it.
  static Words filesRead(const UnitCommand &unit, const std::string &list) {
    auto text = llvm::MemoryBuffer::getFile(list);
    Words files = text ? readDependencies((*text)->getBuffer().str()) : Words{};
    if (files.empty()) files = {unit.file};
    for (std::string &file : files) file = absolute(unit.directory, file);
    return files;
  }

  const ModelOptions &options_;
  UnitCache &cache_;
  const std::string &commonKey_;
};

} // namespace

Expected<std::vector<ModelledUnit>> modelUnits(const std::vector<UnitCommand> &units, const ModelOptions &options,
                                               Progress &progress) {
  if (std::error_code error = fs::create_directories(options.cacheFolder))
    return fail(options.cacheFolder + ": " + error.message(), kFolderHint);
  auto key = commonKey(options.compilers);
  if (!key) return std::unexpected(key.error());
  llvm::SmallString<256> folder(options.cacheFolder);
  fs::make_absolute(folder);
  UnitCache cache(folder.str().str());
  Job job(options, cache, *key);
  std::vector<ModelledUnit> results(units.size());
  progress.begin("models", units.size());
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(options.jobs));
  for (size_t i = 0; i < units.size(); ++i)
    pool.async([&, i] {
      results[i] = job.model(units[i]);
      progress.step();
    });
  pool.wait();
  progress.end();
  return results;
}

} // namespace deadheat::capture
