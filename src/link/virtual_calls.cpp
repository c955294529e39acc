#include "link/virtual_calls.h"

#include <algorithm>
#include <set>

#include "llvm/Demangle/Demangle.h"

namespace deadheat::link {

namespace {

constexpr uint64_t kAddressPoint = 16; // after offset-to-top and type info
constexpr std::string_view kPrefix = "_ZTV", kWords = "vtable for ", kPure = "__cxa_pure_virtual",
                           kThunk = "virtual thunk to ";

// As debug info has it, where namespaces without a name are left out.
std::string withoutNameless(std::string_view name) {
  constexpr std::string_view kNameless = "(anonymous namespace)::";
  std::string kept(name);
  for (size_t at; (at = kept.find(kNameless)) != std::string::npos;) kept.erase(at, kNameless.size());
  return kept;
}

std::string classOfTable(std::string_view name) {
  if (!name.starts_with(kPrefix)) return {};
  std::string words = llvm::demangle(name);
  return words.starts_with(kWords) ? withoutNameless(std::string_view(words).substr(kWords.size())) : std::string();
}

} // namespace

VirtualCalls::VirtualCalls(const Code &code) : code_(code) {
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
      if (name.empty() || code.function(function).name == kPure) continue;
      tables_[name].push_back({row.offset - kAddressPoint, function});
      slots_[variable].try_emplace(row.offset, function);
      classes_.try_emplace(variable, name);
    }
  }
}

FuncId VirtualCalls::at(GlobalId table, uint64_t offset) const {
  auto slots = slots_.find(table);
  if (slots == slots_.end()) return {};
  auto slot = slots->second.find(offset);
  return slot == slots->second.end() ? FuncId() : slot->second;
}

const std::set<std::string_view> &VirtualCalls::below(std::string_view base) const {
  auto [known, isNew] = below_.try_emplace(std::string(base));
  if (!isNew) return known->second;
  std::vector<std::string_view> pending{known->first};
  while (!pending.empty()) {
    auto list = derived_.find(pending.back());
    pending.pop_back();
    if (list == derived_.end()) continue;
    for (const std::string &next : list->second)
      if (known->second.insert(next).second) pending.push_back(next);
  }
  return known->second;
}

bool VirtualCalls::derives(std::string_view name, std::string_view base) const { return below(base).contains(name); }

// Of a method, `ns::Class<int>`; empty: it is none.
static std::string classOfMethod(std::string_view display) {
  if (size_t thunk = display.find(kThunk); thunk != std::string_view::npos)
    display.remove_prefix(thunk + kThunk.size());
  std::string name = withoutNameless(display);
  size_t scope = 0;
  int depth = 0;
  for (size_t i = 0; i < name.size() && !(name[i] == '(' && depth == 0); ++i) {
    depth += name[i] == '<' || name[i] == '(';
    depth -= name[i] == '>' || name[i] == ')';
    if (depth == 0 && name.compare(i, 2, "::") == 0) scope = i;
  }
  return name.substr(0, scope);
}

bool VirtualCalls::areRelated(std::string_view className, FuncId function) const {
  std::string own = classOfMethod(code_.function(function).display);
  return own.empty() || own == className || derives(own, className) || derives(className, own);
}

void VirtualCalls::keepRelated(std::string_view className, std::vector<FuncId> &functions) const {
  std::erase_if(functions, [&](FuncId id) { return !areRelated(className, id); });
}

void VirtualCalls::keepRelated(const std::vector<FuncId> &methods, std::vector<FuncId> &functions) const {
  std::set<std::string> classes;
  for (FuncId method : methods) classes.insert(classOfMethod(code_.function(method).display));
  std::erase_if(functions, [&](FuncId id) {
    return std::ranges::none_of(classes, [&](const std::string &one) { return areRelated(one, id); });
  });
}

bool VirtualCalls::isMethod(FuncId function) const { return !classOfMethod(code_.function(function).display).empty(); }

void VirtualCalls::keepMostDerived(std::vector<std::pair<GlobalId, int32_t>> &tables) const {
  auto all = tables;
  std::erase_if(tables, [&](const auto &row) {
    return std::ranges::any_of(
        all, [&](const auto &other) { return derives(classes_.at(other.first), classes_.at(row.first)); });
  });
}

std::vector<FuncId> VirtualCalls::inSlot(uint32_t slot) const {
  std::set<FuncId> found;
  for (const auto &[name, table] : tables_)
    for (const Slot &row : table)
      if (row.offset == slot) found.insert(row.function);
  return {found.begin(), found.end()};
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
