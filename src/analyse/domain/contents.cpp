#include "analyse/domain/contents.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace deadheat::analyse {

using llvm::StringRef;

static constexpr uint32_t kMaxOuter = 32; // types that one lies in

// One unit.
class Contents::Learner {
public:
  Learner(const model::Unit &unit, const llvm::StringMap<uint32_t> &types, std::vector<std::set<Part>> &into)
      : unit_(unit), types_(types), into_(into) {
    for (const model::Symbol &symbol : unit.symbols)
      if (symbol.kind == model::SymbolKind::Variable) globals_[unit.strings[symbol.display]] = typeOf(symbol.type);
  }

  void run() {
    for (const model::Inheritance &row : unit_.inheritance) add(typeOf(row.derived), {}, typeOf(row.base));
    for (const model::Function &function : unit_.functions) {
      bases_.clear();
      paths_.clear();
      forEachSite(function, [&](const model::Site &site) { learnBase(site); });
      forEachSite(function, [&](const model::Site &site) { learnPart(site); });
    }
  }

private:
  template <typename Visit> void forEachSite(const model::Function &function, Visit visit) const {
    for (uint32_t i = 0; i < function.siteCount; ++i) visit(unit_.sites[model::SiteId(function.firstSite.value() + i)]);
  }

  uint32_t typeOf(model::StringId name) const { return types_.lookup(unit_.strings[name]); }

  // `h` of `h->frame` has the type that holds `frame`.
  void learnBase(const model::Site &site) {
    StringRef path = unit_.strings[site.path];
    paths_.try_emplace(path, true);
    if (!path.consume_back(unit_.strings[site.field]) || site.field == model::StringId(0)) return;
    if (path.consume_back("->") || path.consume_back(".")) {
      auto [known, isNew] = bases_.try_emplace(path, typeOf(site.type));
      if (!isNew && known->second != typeOf(site.type)) known->second = 0; // two variables of one name
    }
  }

  // `sh` of `h->sh.first` has the type that holds `first`, and lies in what `h` points to.
  void learnPart(const model::Site &site) {
    StringRef path = unit_.strings[site.path];
    uint32_t inner = typeOf(site.type);
    if (inner == 0 || site.field == model::StringId(0) || !path.consume_back(unit_.strings[site.field])) return;
    if (!path.consume_back(".")) return;
    size_t arrow = path.rfind("->");
    StringRef base = arrow == StringRef::npos ? path.split('.').first : path.substr(0, arrow);
    StringRef members = path.substr(arrow == StringRef::npos ? base.size() + 1 : arrow + 2);
    StringRef array = path.substr(0, path.find('[', path.size() - members.size()));
    if (members.empty() || (array.size() != path.size() && paths_.contains(array))) return; // behind a pointer
    auto local = bases_.find(base);
    uint32_t outer = local != bases_.end() ? local->second : globals_.lookup(base);
    add(outer, members.substr(0, members.find_first_of(".[")), inner);
  }

  void add(uint32_t outer, StringRef member, uint32_t inner) {
    if (outer != 0 && inner != 0 && outer != inner) into_[outer].insert({member, inner});
  }

  const model::Unit &unit_;
  const llvm::StringMap<uint32_t> &types_;
  std::vector<std::set<Part>> &into_;
  llvm::StringMap<uint32_t> globals_;
  llvm::StringMap<uint32_t> bases_; // of one function; 0: not known
  llvm::StringMap<bool> paths_;
};

Contents::Contents(const link::Program &program, const llvm::StringMap<uint32_t> &types) : parts_(types.size() + 1) {
  for (const model::LinkedUnit &linked : program.units) Learner(linked.unit, types, parts_).run();
  close();
  dropCommon();
}

void Contents::dropCommon() {
  std::vector<uint32_t> outer(parts_.size());
  for (const std::vector<uint32_t> &inside : all_)
    for (uint32_t type : inside) ++outer[type];
  for (std::vector<uint32_t> &inside : all_)
    std::erase_if(inside, [&](uint32_t type) { return outer[type] > kMaxOuter; });
  for (std::set<Part> &parts : parts_)
    std::erase_if(parts, [&](const Part &part) { return outer[part.type] > kMaxOuter; });
}

// What lies in a part lies in the whole. Names that two types have in common may make a circle: it ends all the same.
void Contents::close() {
  all_.resize(parts_.size());
  for (uint32_t type = 1; type < parts_.size(); ++type) {
    std::vector<uint32_t> &found = all_[type];
    std::vector<uint32_t> open{type};
    while (!open.empty()) {
      uint32_t outer = open.back();
      open.pop_back();
      for (const Part &part : parts_[outer])
        if (part.type != type && !llvm::is_contained(found, part.type)) {
          found.push_back(part.type);
          open.push_back(part.type);
        }
    }
    std::ranges::sort(found);
  }
}

bool Contents::isRecord(uint32_t outer, std::string_view member) const {
  return !member.empty() && std::ranges::find(parts_[outer], member, &Part::member) != parts_[outer].end();
}

bool Contents::holds(uint32_t outer, std::string_view member, uint32_t inner) const {
  if (member.empty()) return std::ranges::binary_search(all_[outer], inner);
  std::string_view first = StringRef(member).split('.').first;
  return std::ranges::any_of(parts_[outer], [&](const Part &part) {
    return part.member == first && (part.type == inner || std::ranges::binary_search(all_[part.type], inner));
  });
}

} // namespace deadheat::analyse
