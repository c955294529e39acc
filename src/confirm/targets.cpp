#include "confirm/targets.h"

#include <algorithm>

#include "llvm/ADT/StringRef.h"

#include "finding/site_key.h"

namespace deadheat::confirm {
namespace {

using model::AccessKind;

bool isWrite(AccessKind kind) {
  return kind == AccessKind::Write || kind == AccessKind::RangeWrite || kind == AccessKind::AtomicWrite ||
         kind == AccessKind::AtomicUpdate;
}

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

std::vector<abi::Target> TargetIndex::targetsOf(const std::string &siteKey, uint8_t side) {
  std::vector<abi::Target> targets;
  auto addSite = [&](const SitePlace &place) {
    const model::Unit &unit = units_[place.unit].unit;
    for (uint32_t late : late_[place.unit][place.site.value()]) {
      const model::LateAccess &row = unit.late[model::LateId(late)];
      targets.push_back({.checksum = units_[place.unit].checksum,
                         .late = late,
                         .size = row.size != 0 ? row.size : 1,
                         .side = side,
                         .isWrite = isWrite(row.kind),
                         .function = slotOf(unit, row.function)});
    }
  };
  for (const std::string &function : functionsOf(siteKey)) {
    const SitesByKey &sites = sitesOf(function);
    if (auto found = sites.find(siteKey); found != sites.end())
      for (const SitePlace &place : found->second) addSite(place);
  }
  return targets;
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
  return {&unit, unit.lateSites[unit.late[model::LateId(late)].first], {}};
}

} // namespace deadheat::confirm
