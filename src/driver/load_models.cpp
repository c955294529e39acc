#include "driver/load_models.h"

#include <algorithm>

#include "llvm/Support/FileSystem.h"

#include "support/file.h"
#include "symbol/elf.h"

namespace deadheat::driver {
namespace {

namespace fs = llvm::sys::fs;
using model::LinkedUnit;

Expected<std::vector<LinkedUnit>> loadElf(const std::string &path) {
  auto section = symbol::readSection(path, model::kSectionName);
  if (!section) return std::unexpected(section.error());
  if (section->empty())
    return fail(path + ": it has no section " + model::kSectionName + ": it was stripped or not built by deadheat-cc",
                "build it with CC=deadheat-cc CXX=deadheat-c++");
  return model::decodeFrames(*section, path);
}

Expected<std::vector<LinkedUnit>> loadFile(const std::string &path) {
  auto file = readFile(path);
  if (!file) return std::unexpected(file.error());
  llvm::StringRef bytes = (*file)->getBuffer();
  if (symbol::isElf(bytes)) return loadElf(path);
  // Three bytes of the magic are enough to tell that a model was meant, and what is wrong with it.
  if (bytes.starts_with(llvm::StringRef(model::kMagic, 3)))
    return model::decodeFrames({bytes.bytes_begin(), bytes.size()}, path);
  return fail(path + ": it is neither an ELF file nor a model",
              "name a program, a library, an object, an archive, a model file or a model directory");
}

Expected<std::vector<LinkedUnit>> loadDirectory(const std::string &directory) {
  auto files = modelFiles(directory);
  if (!files) return std::unexpected(files.error());
  std::vector<LinkedUnit> units;
  for (const std::string &file : *files) {
    auto more = loadFile(file);
    if (!more) return more;
    std::ranges::move(*more, std::back_inserter(units));
  }
  return units;
}

} // namespace

Expected<std::vector<std::string>> modelFiles(const std::string &directory) {
  std::vector<std::string> files;
  std::error_code error;
  fs::recursive_directory_iterator next(directory, error, /*follow_symlinks=*/false), end;
  for (; next != end && !error; next.increment(error))
    if (llvm::StringRef(next->path()).ends_with(model::kFileSuffix)) files.push_back(next->path());
  if (error) return fail(directory + ": it cannot be listed: " + error.message(), "check its permissions");
  if (files.empty())
    return fail(directory + ": it holds no model file (*" + model::kFileSuffix + ")",
                "build with DEADHEAT_MODEL_DIR set to it");
  std::ranges::sort(files);
  return files;
}

Expected<std::vector<LinkedUnit>> loadModels(const std::string &path) {
  return fs::is_directory(path) ? loadDirectory(path) : loadFile(path);
}

} // namespace deadheat::driver
