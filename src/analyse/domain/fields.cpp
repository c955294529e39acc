#include "analyse/domain/fields.h"

#include <string>

#include "llvm/ADT/StringMap.h"

namespace deadheat::analyse {

static bool isRange(model::AccessKind kind) {
  return kind == model::AccessKind::RangeRead || kind == model::AccessKind::RangeWrite;
}

Fields::Fields(const link::Program &program) : typeOf_(1, 0) {
  llvm::StringMap<uint32_t> types, fields;
  for (const model::LinkedUnit &linked : program.units) {
    std::vector<uint32_t> &row = bySite_.emplace_back();
    row.reserve(linked.unit.sites.size());
    for (const model::Site &site : linked.unit.sites) {
      std::string_view type = linked.unit.strings[site.type];
      std::string_view field = linked.unit.strings[site.field];
      if (isRange(site.kind) || type.empty() || field.empty()) {
        row.push_back(0);
        continue;
      }
      auto place = fields.try_emplace(std::string(type) + '\0' + std::string(field), typeOf_.size());
      if (place.second) typeOf_.push_back(types.try_emplace(type, types.size() + 1).first->second);
      row.push_back(place.first->second);
    }
  }
}

} // namespace deadheat::analyse
