#include "driver/check_inputs.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ThreadPool.h"

#include "capture/compile_commands.h"
#include "capture/model_units.h"
#include "driver/load_models.h"
#include "driver/paths.h"
#include "symbol/elf.h"
#include "symbol/needed.h"

namespace deadheat::driver {
namespace {

namespace fs = llvm::sys::fs;
using model::LinkedUnit;
using Units = std::vector<LinkedUnit>;

std::string currentFolder() {
  llvm::SmallString<256> folder;
  return fs::current_path(folder) ? std::string() : folder.str().str();
}

std::string resolved(llvm::StringRef folder, llvm::StringRef file) {
  llvm::SmallString<256> path(file), real;
  fs::make_absolute(folder, path);
  return fs::real_path(path, real) ? path.str().str() : real.str().str();
}

// Many small files: most of the time is decompression.
Expected<Units> loadAll(const std::vector<std::string> &files, unsigned jobs) {
  std::vector<Expected<Units>> parts(files.size());
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(jobs));
  for (size_t i = 0; i < files.size(); ++i) pool.async([&, i] { parts[i] = loadModels(files[i]); });
  pool.wait();
  Units units;
  for (Expected<Units> &part : parts) {
    if (!part) return part;
    std::ranges::move(*part, std::back_inserter(units));
  }
  return units;
}

// Compiles what has to be, and adds one binary of all of it.
Expected<void> addUnits(const std::vector<capture::UnitCommand> &units, const std::string &name,
                        const CheckInputs &inputs, Progress &progress, CheckModels &models) {
  capture::Compilers compilers{compilerCommand(CompilerName::Clang), compilerCommand(CompilerName::ClangCxx),
                               pluginPath()};
  auto made = capture::modelUnits(units, {compilers, inputs.cacheFolder, inputs.jobs}, progress);
  if (!made) return std::unexpected(made.error());
  std::vector<std::string> files;
  for (const auto &[unit, result] : llvm::zip(units, *made)) {
    (result.compiled ? models.compiled : models.cached) += 1;
    if (result.model.empty())
      models.failed.push_back(unit.file + ": " + result.failure);
    else
      files.push_back(result.model);
  }
  auto loaded = loadAll(files, inputs.jobs);
  if (!loaded) return std::unexpected(loaded.error());
  models.binaries.push_back({name, std::move(*loaded)});
  return {};
}

Expected<void> addBuild(const CheckInputs &inputs, Progress &progress, CheckModels &models) {
  auto units = capture::readCompileCommands(inputs.build);
  if (!units) return std::unexpected(units.error());
  llvm::StringSet<> wanted;
  for (const std::string &file : inputs.files) wanted.insert(resolved(currentFolder(), file));
  if (!wanted.empty())
    std::erase_if(*units, [&](const auto &unit) { return !wanted.contains(resolved(unit.directory, unit.file)); });
  if (units->empty()) return fail(inputs.build + ": it compiles none of these files", "leave them out to check all");
  return addUnits(*units, inputs.build, inputs, progress, models);
}

Expected<void> addSources(const std::vector<std::string> &files, const CheckInputs &inputs, Progress &progress,
                          CheckModels &models) {
  std::vector<capture::UnitCommand> units;
  for (const std::string &file : files) {
    if (!fs::exists(file)) return fail(file + ": it cannot be read: No such file or directory", "check the name");
    units.push_back({file, currentFolder(), /*compiler=*/"", inputs.flags});
  }
  return addUnits(units, files.front(), inputs, progress, models);
}

bool carriesModels(const std::string &path) {
  auto section = symbol::readSection(path, model::kSectionName);
  return section && !section->empty();
}

// The libraries of a program, breadth first, as the loader takes them.
Expected<void> addLibraries(const std::string &program, CheckModels &models) {
  std::vector<std::string> queue = {program};
  llvm::StringSet<> seen; // plugins need what the program needs
  for (const std::string &name : models.without) seen.insert(name);
  for (const link::Binary &binary : models.binaries) seen.insert(llvm::sys::path::filename(binary.name));
  for (size_t i = 0; i < queue.size(); ++i) {
    auto needed = symbol::neededLibraries(queue[i]);
    if (!needed) continue; // an object or archive, or damaged: whoever reads its section says so
    for (const symbol::NeededLibrary &library : *needed) {
      if (!seen.insert(library.name).second) continue;
      if (library.path.empty() || !carriesModels(library.path)) {
        models.without.push_back(library.name);
        continue;
      }
      auto units = loadModels(library.path);
      if (!units) return std::unexpected(units.error());
      models.binaries.push_back({library.path, std::move(*units)});
      queue.push_back(library.path);
    }
  }
  return {};
}

Expected<void> addDirectory(const std::string &path, unsigned jobs, CheckModels &models) {
  auto files = modelFiles(path);
  if (!files) return std::unexpected(files.error());
  auto units = loadAll(*files, jobs);
  if (!units) return std::unexpected(units.error());
  models.binaries.push_back({path, std::move(*units)});
  return {};
}

// As a library of one that came before.
bool isLoaded(const std::string &path, const CheckModels &models) {
  return std::ranges::any_of(models.binaries,
                             [&](const link::Binary &binary) { return fs::equivalent(binary.name, path); });
}

// A library that one before it needs, and that the loader would not find, is what it needs; any other one is a plugin.
Expected<void> addBinary(const std::string &path, unsigned jobs, CheckModels &models) {
  if (fs::is_directory(path)) return addDirectory(path, jobs, models);
  if (isLoaded(path, models)) return {};
  auto units = loadModels(path);
  if (!units) return std::unexpected(units.error());
  const bool isFound = std::erase(models.without, symbol::neededAs(path)) != 0;
  bool plugin = !models.binaries.empty() && symbol::isShared(path) && !isFound;
  models.binaries.push_back({path, std::move(*units), plugin});
  return addLibraries(path, models);
}

Expected<void> addFiles(const CheckInputs &inputs, Progress &progress, CheckModels &models) {
  std::vector<std::string> sources, binaries;
  for (const std::string &file : inputs.files) (capture::isSource(file) ? sources : binaries).push_back(file);
  if (!sources.empty())
    if (auto added = addSources(sources, inputs, progress, models); !added) return added;
  if (sources.empty() && !inputs.flags.empty())
    return fail("flags after -- are for sources, and there are none", "name C or C++ files before --");
  for (const std::string &binary : binaries)
    if (auto added = addBinary(binary, inputs.jobs, models); !added) return added;
  return {};
}

} // namespace

size_t CheckModels::units() const {
  size_t count = 0;
  for (const link::Binary &binary : binaries) count += binary.units.size();
  return count;
}

Expected<CheckModels> gatherModels(const CheckInputs &inputs, Progress &progress) {
  CheckModels models;
  Expected<void> added;
  if (!inputs.build.empty())
    added = addBuild(inputs, progress, models);
  else if (!inputs.modelDirectory.empty())
    added = addBinary(inputs.modelDirectory, inputs.jobs, models);
  else
    added = addFiles(inputs, progress, models);
  if (!added) return std::unexpected(added.error());
  if (models.units() != 0) return models;
  std::string why = models.failed.empty() ? "there is no unit" : models.failed.front();
  return fail("no unit has a model: " + why, "mend that, or give its flags after --");
}

bool isKernel(const std::vector<link::Binary> &binaries) {
  auto names = [](const model::Unit &unit, const model::Symbol &symbol) {
    return unit.strings[symbol.name] == "_printk" || unit.strings[symbol.name] == "start_kernel";
  };
  auto inUnit = [&](const LinkedUnit &linked) {
    return llvm::any_of(linked.unit.symbols, [&](const model::Symbol &symbol) { return names(linked.unit, symbol); });
  };
  return llvm::any_of(binaries, [&](const link::Binary &binary) { return llvm::any_of(binary.units, inUnit); });
}

} // namespace deadheat::driver
