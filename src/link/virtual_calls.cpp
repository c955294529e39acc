#include "link/virtual_calls.h"

#include <algorithm>
#include <set>

#include "llvm/Demangle/Demangle.h"

namespace deadheat::link {

namespace {

constexpr uint64_t kAddressPoint = 16; // after offset-to-top and type info
constexpr std::string_view kPrefix = "_ZTV", kWords = "vtable for ";

std::string classOfTable(std::string_view name) {
  if (!name.starts_with(kPrefix)) return {};
  std::string words = llvm::demangle(name);
  return words.starts_with(kWords) ? words.substr(kWords.size()) : std::string();
}

} // namespace

VirtualCalls::VirtualCalls(const Code &code) {
  for (const model::LinkedUnit &linked : code.units)
    for (const model::Inheritance &row : linked.unit.inheritance) {
      auto &list = derived_[std::string(linked.unit.strings[row.base])];
      std::string name(linked.unit.strings[row.derived]);
      if (std::ranges::find(list, name) == list.end()) list.push_back(std::move(name));
    }
  addTables(code);
}

void VirtualCalls::addTables(const Code &code) {
  for (uint32_t u = 0; u < code.units.size(); ++u) {
    const model::Unit &unit = code.units[u].unit;
    for (const model::Initialiser &row : unit.initialisers) {
      GlobalId variable = code.symbols.target(UnitId(u), row.variable).variable;
      FuncId function = code.symbols.target(UnitId(u), row.target).function;
      if (!variable.valid() || !function.valid() || row.offset < kAddressPoint) continue;
      std::string name = classOfTable(unit.strings[unit.symbols[row.variable].name]);
      if (!name.empty()) tables_[name].push_back({row.offset - kAddressPoint, function});
    }
  }
}

std::vector<FuncId> VirtualCalls::candidates(std::string_view className, uint32_t slot) const {
  std::set<FuncId> found;
  std::set<std::string_view> seen{className};
  std::vector<std::string_view> pending{className};
  while (!pending.empty()) {
    std::string_view name = pending.back();
    pending.pop_back();
    if (auto table = tables_.find(name); table != tables_.end())
      for (const Slot &row : table->second)
        if (row.offset == slot) found.insert(row.function);
    if (auto list = derived_.find(name); list != derived_.end())
      for (const std::string &next : list->second)
        if (seen.insert(next).second) pending.push_back(next);
  }
  return {found.begin(), found.end()};
}

} // namespace deadheat::link
