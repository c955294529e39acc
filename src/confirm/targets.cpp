#include "confirm/targets.h"

#include <algorithm>
#include <functional>

#include "llvm/ADT/StringRef.h"

#include "confirm/whole_calls.h"
#include "finding/site_key.h"
#include "model/late_sites.h"

namespace deadheat::confirm {
namespace {

bool isFile(llvm::StringRef path, llvm::StringRef wanted) {
  if (!path.ends_with(wanted)) return false;
  llvm::StringRef before = path.drop_back(wanted.size());
  return before.empty() || before.ends_with("/");
}

uint32_t slotOf(const model::Unit &unit, model::FunctionId function) {
  auto found = std::ranges::find(unit.functionSlots, function);
  return found == unit.functionSlots.end() ? abi::kNoFunction
                                           : static_cast<uint32_t>(found - unit.functionSlots.begin());
}

// What the library does to memory stands before the call that does it, without a value and without a size.
bool isByLibrary(const model::Statement &statement) {
  using model::StatementKind;
  if (!statement.site.valid() || statement.b.kind != model::OperandKind::None) return false;
  return (statement.kind == StatementKind::Fill && statement.number < 0) ||
         (statement.kind == StatementKind::Load && !statement.result.valid());
}

// The name of the function, if the access is in this block.
std::string libraryCallIn(const model::Unit &unit, const model::Block &block, const std::string &siteKey) {
  bool found = false;
  for (uint32_t index = 0; index != block.statementCount; ++index) {
    const model::Statement &statement = unit.statements[model::StatementId(block.firstStatement.value() + index)];
    found |= isByLibrary(statement) && finding::siteKey(unit, statement.site) == siteKey;
    if (!found || statement.kind != model::StatementKind::Call) continue;
    const model::Operand &callee = unit.calls[model::CallId(static_cast<uint32_t>(statement.number))].callee;
    if (callee.kind != model::OperandKind::Symbol) return {};
    return std::string(unit.strings[unit.symbols[model::SymbolId(static_cast<uint32_t>(callee.index))].name]);
  }
  return {};
}

std::vector<std::vector<uint32_t>> lateBySite(const model::Unit &unit) {
  std::vector<std::vector<uint32_t>> all(unit.sites.size());
  for (uint32_t index = 0; index != unit.late.size(); ++index) {
    const model::LateAccess &late = unit.late[model::LateId(index)];
    for (uint32_t entry = late.first; entry != late.first + late.count; ++entry)
      all[unit.lateSites[entry].value()].push_back(index);
  }
  return all;
}

} // namespace

TargetIndex::TargetIndex(const std::vector<model::LinkedUnit> &units) : units_(units) {
  for (size_t index = 0; index != units.size(); ++index) {
    const model::Unit &unit = units[index].unit;
    byChecksum_.emplace(units[index].checksum, index);
    late_.push_back(lateBySite(unit));
    for (uint32_t function = 0; function != unit.functions.size(); ++function) {
      const model::FunctionId id(function);
      functions_[std::string(unit.strings[unit.functions[id].display])].push_back({index, id});
    }
  }
}

const TargetIndex::SitesByKey &TargetIndex::sitesOf(const std::string &function) {
  auto [entry, isNew] = keys_.try_emplace(function);
  if (!isNew) return entry->second;
  auto found = functions_.find(function);
  if (found == functions_.end()) return entry->second;
  for (const FunctionPlace &place : found->second) {
    const model::Unit &unit = units_[place.unit].unit;
    const model::Function &row = unit.functions[place.function];
    for (uint32_t site = 0; site != row.siteCount; ++site) {
      const model::SiteId id(row.firstSite.value() + site);
      if (!late_[place.unit][id.value()].empty()) entry->second[finding::siteKey(unit, id)].push_back({place.unit, id});
    }
  }
  return entry->second;
}

abi::Target TargetIndex::targetOf(size_t unit, uint32_t late, uint8_t side) const {
  const model::LateAccess &row = units_[unit].unit.late[model::LateId(late)];
  return {.checksum = units_[unit].checksum,
          .late = late,
          .size = row.size != 0 ? row.size : 1,
          .side = side,
          .isWrite = model::isWrite(row.kind),
          .function = slotOf(units_[unit].unit, row.function)};
}

std::vector<abi::Target> TargetIndex::targetsOf(const std::string &siteKey, uint8_t side) {
  std::vector<abi::Target> targets;
  auto addSite = [&](const SitePlace &place) {
    for (uint32_t late : late_[place.unit][place.site.value()]) targets.push_back(targetOf(place.unit, late, side));
  };
  for (const std::string &function : functionsOf(siteKey)) {
    const SitesByKey &sites = sitesOf(function);
    if (auto found = sites.find(siteKey); found != sites.end())
      for (const SitePlace &place : found->second) addSite(place);
  }
  return targets;
}

// The innermost line of the user's in whose place it stands is another one.
bool TargetIndex::isElsewhere(const abi::Target &target, const finding::Access &access) const {
  const model::Unit &unit = units_[byChecksum_.at(target.checksum)].unit;
  if (unit.lateInlined.empty()) return false;
  for (uint32_t at = unit.lateInlined[target.late]; at != 0; at = unit.inlinedCalls[at - 1].outer) {
    const model::InlinedCall &call = unit.inlinedCalls[at - 1];
    if (!call.caller.valid()) return false;
    const model::Function &caller = unit.functions[call.caller];
    if ((caller.flags & model::kLibrary) == 0)
      return call.line != access.place.line || unit.strings[caller.display] != access.function;
  }
  return false;
}

void TargetIndex::keepThoseAt(const finding::Access &access, std::vector<abi::Target> &targets) const {
  auto isThere = [&](const abi::Target &target) { return !isElsewhere(target, access); };
  if (isInLibrary(access.site) && std::ranges::any_of(targets, isThere)) std::erase_if(targets, std::not_fn(isThere));
}

bool TargetIndex::hasLate(const FunctionPlace &place) const {
  const auto &late = units_[place.unit].unit.late;
  return std::ranges::any_of(late, [&](const model::LateAccess &row) { return row.function == place.function; });
}

// The function's own accesses at the line are among them: the optimiser gives its line to what was merged. Of others those that were compiled
// into the function itself, if that is not inlined everywhere, or into one of the library.
std::vector<abi::Target> TargetIndex::wholeTargetsAt(const finding::Access &access, uint8_t side,
                                                     bool wantsWrite) const {
  std::vector<abi::Target> targets;
  auto found = functions_.find(access.function);
  if (found == functions_.end()) return targets;
  for (const FunctionPlace &place : found->second) {
    const model::Unit &unit = units_[place.unit].unit;
    const bool isCompiled = hasLate(place);
    auto addLate = [&](uint32_t late) {
      const model::LateAccess &row = unit.late[model::LateId(late)];
      const bool isLibrary = (unit.functions[row.function].flags & model::kLibrary) != 0;
      const bool isThere = !isCompiled || isLibrary || row.function == place.function;
      if (isThere) targets.push_back(targetOf(place.unit, late, side));
    };
    std::set<model::FunctionId> functions = libraryFunctionsAt(unit, place.function, access.place);
    functions.insert(place.function);
    for (model::FunctionId id : functions)
      for (uint32_t index = 0; index != unit.functions[id].siteCount; ++index) {
        const model::SiteId site(unit.functions[id].firstSite.value() + index);
        if (id == place.function && unit.sites[site].line != access.place.line) continue;
        if (model::isWrite(unit.sites[site].kind) != wantsWrite) continue;
        std::ranges::for_each(late_[place.unit][site.value()], addLate);
      }
  }
  return targets;
}

std::set<std::string> TargetIndex::libraryNamesAt(const finding::Access &access) const {
  std::set<std::string> names;
  auto found = functions_.find(access.function);
  if (found == functions_.end()) return names;
  for (const FunctionPlace &place : found->second) {
    const model::Unit &unit = units_[place.unit].unit;
    for (model::FunctionId id : libraryFunctionsAt(unit, place.function, access.place))
      names.emplace(unit.strings[unit.functions[id].display]);
  }
  return names;
}

bool TargetIndex::isInLibrary(const std::string &siteKey) const {
  return std::ranges::any_of(functionsOf(siteKey), [&](const std::string &name) {
    return std::ranges::any_of(functions_.find(name)->second, [&](const FunctionPlace &place) {
      return (units_[place.unit].unit.functions[place.function].flags & model::kLibrary) != 0;
    });
  });
}

std::vector<std::string> TargetIndex::functionsOf(const std::string &siteKey) const {
  std::vector<std::string> names;
  llvm::StringRef afterFile = llvm::StringRef(siteKey).split(':').second;
  for (size_t end = afterFile.find(':'); end != llvm::StringRef::npos; end = afterFile.find(':', end + 1))
    if (functions_.contains(std::string_view(afterFile.take_front(end))))
      names.push_back(afterFile.take_front(end).str());
  return names;
}

std::string TargetIndex::libraryCallAt(const std::string &siteKey) const {
  for (const std::string &name : functionsOf(siteKey))
    for (const FunctionPlace &place : functions_.find(name)->second) {
      const model::Unit &unit = units_[place.unit].unit;
      const model::Function &function = unit.functions[place.function];
      for (uint32_t block = 0; block != function.blockCount; ++block) {
        std::string call =
            libraryCallIn(unit, unit.blocks[model::BlockId(function.firstBlock.value() + block)], siteKey);
        if (!call.empty()) return call;
      }
    }
  return {};
}

std::vector<TargetIndex::Source> TargetIndex::sitesAt(const std::string &file, uint32_t line) const {
  std::map<std::string, Source> found;
  for (const model::LinkedUnit &linked : units_)
    for (uint32_t index = 0; index != linked.unit.sites.size(); ++index) {
      const model::Site &site = linked.unit.sites[model::SiteId(index)];
      if (site.line != line || !isFile(linked.unit.strings[site.file], file)) continue;
      std::string key = finding::siteKey(linked.unit, model::SiteId(index));
      found.try_emplace(key, Source{&linked.unit, model::SiteId(index), key});
    }
  std::vector<Source> sources;
  for (const auto &[key, source] : found) sources.push_back(source);
  return sources;
}

TargetIndex::Source TargetIndex::sourceOf(uint64_t checksum, uint32_t late) const {
  auto found = byChecksum_.find(checksum);
  if (found == byChecksum_.end()) return {};
  const model::Unit &unit = units_[found->second].unit;
  if (late >= unit.late.size() || unit.late[model::LateId(late)].count == 0) return {};
  return {&unit, model::ownSite(unit, unit.late[model::LateId(late)]), {}};
}

} // namespace deadheat::confirm
