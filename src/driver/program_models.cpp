#include "driver/program_models.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

#include "driver/load_models.h"
#include "symbol/elf.h"
#include "symbol/needed.h"

namespace deadheat::driver {
namespace {

Expected<std::string> findProgram(const std::string &word) {
  if (word.find('/') != std::string::npos) return word;
  auto found = llvm::sys::findProgramByName(word);
  if (!found) return fail("cannot run '" + word + "': " + found.getError().message(), "check the command after --");
  return *found;
}

// Those that carry models; the others are not ours.
void addLibraries(const std::string &path, std::vector<model::LinkedUnit> &units) {
  auto needed = symbol::neededLibraries(path);
  if (!needed) return;
  for (const symbol::NeededLibrary &library : *needed) {
    if (library.path.empty()) continue;
    auto section = symbol::readSection(library.path, model::kSectionName);
    if (!section || section->empty()) continue;
    if (auto more = model::decodeFrames(*section, library.path)) std::ranges::move(*more, std::back_inserter(units));
  }
}

} // namespace

Expected<ProgramModels> programModels(const std::string &word) {
  auto path = findProgram(word);
  if (!path) return std::unexpected(path.error());
  auto units = loadModels(*path);
  if (!units) return std::unexpected(units.error());
  addLibraries(*path, *units);
  return ProgramModels{*path, std::move(*units)};
}

} // namespace deadheat::driver
