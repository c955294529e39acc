#include "analyse/domain/fields.h"

#include <string>

#include "llvm/ADT/StringRef.h"

namespace deadheat::analyse {

static bool isRange(model::AccessKind kind) {
  return kind == model::AccessKind::RangeRead || kind == model::AccessKind::RangeWrite;
}

static bool isRead(model::AccessKind kind) {
  return kind == model::AccessKind::Read || kind == model::AccessKind::AtomicRead;
}

// `Queue` of `ns::Queue<int>`: the last name, without what it was instantiated with.
static llvm::StringRef lastName(llvm::StringRef qualified) {
  size_t end = qualified.size();
  size_t begin = 0;
  int depth = 0;
  for (size_t i = qualified.size(); i-- > 0;) {
    if (qualified[i] == '>') ++depth;
    if (qualified[i] == '<' && --depth == 0 && end == qualified.size()) end = i;
    if (qualified[i] == ':' && depth == 0) {
      begin = i + 1;
      break;
    }
  }
  return qualified.slice(begin, std::max(begin, end));
}

// `ns::Queue<int>::Queue(unsigned long)`
static bool isConstructorOf(llvm::StringRef function, llvm::StringRef type) {
  llvm::StringRef name = function.substr(0, function.find('('));
  llvm::StringRef own = lastName(type);
  return !own.empty() && lastName(name) == own && name.size() > own.size() + 2 &&
         lastName(name.drop_back(own.size() + 2)) == own;
}

uint32_t Fields::add(const model::Unit &unit, const model::Site &site) {
  std::string_view type = unit.strings[site.type];
  std::string_view field = unit.strings[site.field];
  if (isRange(site.kind) || type.empty() || field.empty()) return 0;
  auto place = fields_.try_emplace(std::string(type) + '\0' + std::string(field), typeOf_.size());
  if (place.second) {
    typeOf_.push_back(types_.try_emplace(type, types_.size() + 1).first->second);
    isRewritten_.push_back(false);
  }
  uint32_t id = place.first->second;
  if (!isRead(site.kind) && !isRewritten_[id])
    isRewritten_[id] = !isConstructorOf(unit.strings[unit.functions[site.function].display], type);
  return id;
}

Fields::Fields(const link::Program &program) : typeOf_(1, 0), isRewritten_(1, true) {
  for (const model::LinkedUnit &linked : program.units) {
    std::vector<uint32_t> &row = bySite_.emplace_back();
    row.reserve(linked.unit.sites.size());
    for (const model::Site &site : linked.unit.sites) row.push_back(add(linked.unit, site));
  }
}

} // namespace deadheat::analyse
