#include "driver/source_names.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace deadheat::driver {

namespace path = llvm::sys::path;

static std::string relativeTo(llvm::StringRef root, llvm::StringRef directory, llvm::StringRef file) {
  llvm::SmallString<256> full(file);
  llvm::sys::fs::make_absolute(directory, full);
  path::remove_dots(full, /*remove_dot_dot=*/true);
  llvm::StringRef rest = full;
  if (rest.consume_front(root) && rest.consume_front("/")) return rest.str();
  return full.str().str();
}

SourceNames::SourceNames(const std::vector<model::LinkedUnit> &units, std::string root) : root_(std::move(root)) {
  for (const model::LinkedUnit &linked : units) {
    const model::Unit &unit = linked.unit;
    std::vector<bool> seen(unit.strings.size());
    auto once = [&](model::StringId id) {
      if (seen[id.value()]) return;
      seen[id.value()] = true;
      add(unit.directory, unit.strings[id]);
    };
    for (const model::Function &function : unit.functions) once(function.file);
    for (const model::Site &site : unit.sites) once(site.file);
    for (const model::Call &call : unit.calls) once(call.file);
  }
}

void SourceNames::add(std::string_view directory, std::string_view file) {
  if (file.empty()) return;
  std::string name = relativeTo(root_, directory, file);
  auto [known, fresh] = names_.try_emplace(file, name);
  if (!fresh && known->second != name) known->second.clear();
}

std::string SourceNames::shown(std::string_view file) const {
  auto known = names_.find(file);
  return known == names_.end() || known->second.empty() ? std::string(file) : known->second;
}

void SourceNames::apply(finding::Findings &findings) const {
  auto rename = [&](finding::Place &place) { place.file = shown(place.file); };
  auto renameAll = [&](std::vector<finding::Frame> &frames) {
    for (finding::Frame &frame : frames) rename(frame.place);
  };
  for (finding::ProgramThread &thread : findings.program.threads) rename(thread.createdAt);
  for (finding::Finding &finding : findings.list) {
    rename(finding.allocatedAt);
    for (finding::Access &access : finding.accesses) {
      rename(access.place);
      rename(access.createdAt);
      renameAll(access.stack);
    }
    for (finding::CycleEdge &edge : finding.cycle) {
      for (finding::Place *place : {&edge.place, &edge.createdAt, &edge.heldSince}) rename(*place);
      renameAll(edge.trace);
    }
  }
}

} // namespace deadheat::driver
