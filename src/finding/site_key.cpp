#include "finding/site_key.h"

#include "llvm/Support/Path.h"

#include "model/names.h"

namespace deadheat::finding {

std::string siteKey(std::string_view file, std::string_view function, std::string_view action, std::string_view path,
                    uint32_t ordinal) {
  std::string key = llvm::sys::path::filename(file).str();
  for (std::string_view part : {function, action, path}) key.append(":").append(part);
  if (ordinal > 1) key += "#" + std::to_string(ordinal);
  return key;
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

} // namespace deadheat::finding
