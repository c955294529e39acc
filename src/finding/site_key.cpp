#include "finding/site_key.h"

#include <set>

#include "llvm/Support/Path.h"

#include "model/calls.h"
#include "model/names.h"

namespace deadheat::finding {

static std::string numbered(std::string key, size_t ordinal) {
  return ordinal > 1 ? key + "#" + std::to_string(ordinal) : key;
}

static std::string spotName(const model::Unit &unit, model::StringId file, const model::Function &function) {
  return llvm::sys::path::filename(unit.strings[file]).str() + ":" + std::string(unit.strings[function.display]) + ":";
}

std::string siteKey(std::string_view file, std::string_view function, std::string_view action, std::string_view path,
                    uint32_t ordinal) {
  std::string key = llvm::sys::path::filename(file).str();
  for (std::string_view part : {function, action, path}) key.append(":").append(part);
  return numbered(std::move(key), ordinal);
}

std::string siteKey(const model::Unit &unit, model::SiteId id) {
  const model::Site &site = unit.sites[id];
  const model::Function &function = unit.functions[site.function];
  uint32_t ordinal = 1;
  for (uint32_t other = function.firstSite.value(); other != id.value(); ++other) {
    const model::Site &earlier = unit.sites[model::SiteId(other)];
    if (earlier.kind == site.kind && earlier.path == site.path && earlier.file == site.file) ++ordinal;
  }
  return siteKey(unit.strings[site.file], unit.strings[function.display], model::name(site.kind),
                 unit.strings[site.path], ordinal);
}

std::string spotKey(const model::Unit &unit, model::SiteId id) {
  const model::Site &site = unit.sites[id];
  const model::Function &function = unit.functions[site.function];
  if (unit.strings[site.path].empty()) return {};
  std::set<uint32_t> before;
  for (uint32_t i = 0; i < function.siteCount; ++i) {
    const model::Site &other = unit.sites[model::SiteId(function.firstSite.value() + i)];
    if (other.path == site.path && other.file == site.file && other.line < site.line) before.insert(other.line);
  }
  return numbered(spotName(unit, site.file, function) + std::string(unit.strings[site.path]), before.size() + 1);
}

std::string spotKey(const model::Unit &unit, const model::Function &caller, const model::Call &ofLibrary) {
  const std::string_view object = model::objectOf(unit, ofLibrary);
  if (object.empty()) return {};
  std::set<uint32_t> before;
  model::forEachCall(unit, caller, [&](model::CallId id) {
    const model::Call &other = unit.calls[id];
    if (other.file == ofLibrary.file && other.line < ofLibrary.line && model::objectOf(unit, other) == object)
      before.insert(other.line);
  });
  return numbered(spotName(unit, ofLibrary.file, caller) + std::string(object) + "()", before.size() + 1);
}

} // namespace deadheat::finding
