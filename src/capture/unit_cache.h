// Models of units that were compiled before, by the content of everything that went into them.
//
//   COMMAND.deps    the files that the compile of COMMAND read when it last ran, one per line
//   CONTENT.dhm     the model; CONTENT is the hash of COMMAND and of those files' names and bytes
//
// Claim   find() gives a model only if a compile now would read the same files, as far as their list tells, with the
//         same bytes. A file of the cache is complete or not there: it gets its name when it has been written.
// Assumes xxh3 of 64 bits does not collide; the caller's key holds the command, the folder, the compiler and the plugin.
// Cost    each file is hashed once in the life of the object.
// Misses  a new file that comes before an old one in the order of include folders, or for which __has_include asks.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Chrono.h"

#include "support/error.h"

namespace deadheat::capture {

// The names in a dependency file as clang writes it for make.
std::vector<std::string> readDependencies(const std::string &makeText);

class UnitCache {
public:
  explicit UnitCache(std::string folder) : folder_(std::move(folder)) {}

  const std::string &folder() const { return folder_; }

  // The model's file, if it is as a compile would make it now.
  std::optional<std::string> find(uint64_t command);

  // Takes a fresh model. `begun` is when the compile began: if a file that it read changed since, nobody knows which state
  // of it is in the model, and the next find() must not have it.
  Expected<std::string> add(uint64_t command, const std::vector<std::string> &dependencies, const std::string &model,
                            llvm::sys::TimePoint<> begun);

private:
  std::string path(uint64_t hash, const char *suffix) const;
  std::optional<uint64_t> hashOf(const std::string &file);
  std::optional<uint64_t> contentOf(uint64_t command, const std::vector<std::string> &dependencies);

  std::string folder_;
  std::mutex mutex_; // guards hashes_
  llvm::StringMap<std::optional<uint64_t>> hashes_;
};

} // namespace deadheat::capture
