#include "instrument/late.h"

#include "llvm/ADT/StringMap.h"

#include "instrument/carried.h"

namespace deadheat::instrument {

namespace {

// The functions of a unit by linkage name. A function that the optimiser made (a split cold part, a specialised clone)
// is not in the unit yet and gets a row without sites.
class FunctionRows {
public:
  explicit FunctionRows(model::Unit &unit) : unit_(unit) {
    for (uint32_t i = 0; i < unit.functions.size(); ++i)
      rows_[unit.strings[unit.functions[model::FunctionId(i)].name]] = model::FunctionId(i);
  }

  // Invalid: not a function of the unit.
  model::FunctionId find(const llvm::DISubprogram &subprogram) const {
    llvm::StringRef name = subprogram.getLinkageName();
    return rows_.lookup(name.empty() ? subprogram.getName() : name);
  }

  model::FunctionId of(const llvm::Function &function) {
    auto [entry, isNew] = rows_.try_emplace(function.getName());
    if (isNew) entry->second = add(function);
    return entry->second;
  }

private:
  model::FunctionId add(const llvm::Function &function) {
    model::Function row;
    row.name = row.display = unit_.strings.intern(function.getName().str());
    row.file = unit_.strings.intern("");
    row.firstSite = model::SiteId(0);
    return unit_.functions.add(row);
  }

  model::Unit &unit_;
  llvm::StringMap<model::FunctionId> rows_;
};

bool isInstrumentable(const llvm::Function &function) {
  return !function.isDeclaration() && !function.hasAvailableExternallyLinkage() &&
         !function.hasFnAttribute(llvm::Attribute::Naked) && !function.isPresplitCoroutine() &&
         function.getCallingConv() != llvm::CallingConv::X86_INTR;
}

// The calls in whose place an access stands, outermost first in the unit's table.
class InlinedCalls {
public:
  InlinedCalls(const FunctionRows &rows, model::Unit &unit) : rows_(rows), unit_(unit) {}

  // Of an access of one of these sites: nothing where debug information says that it is of another function.
  uint32_t of(const llvm::DILocation *location, llvm::ArrayRef<model::SiteId> sites) {
    if (!location || !location->getInlinedAt() || sites.empty()) return 0;
    const llvm::DISubprogram *inner = location->getScope()->getSubprogram();
    if (!inner || rows_.find(*inner) != unit_.sites[sites.front()].function) return 0;
    return at(location->getInlinedAt());
  }

private:
  uint32_t at(const llvm::DILocation *call) {
    if (!call) return 0;
    if (auto known = known_.find(call); known != known_.end()) return known->second;
    uint32_t outer = at(call->getInlinedAt());
    const llvm::DISubprogram *caller = call->getScope()->getSubprogram();
    unit_.inlinedCalls.push_back(
        {caller ? rows_.find(*caller) : model::FunctionId(), call->getLine(), call->getColumn(), outer});
    return known_[call] = static_cast<uint32_t>(unit_.inlinedCalls.size());
  }

  const FunctionRows &rows_;
  model::Unit &unit_;
  llvm::DenseMap<const llvm::DILocation *, uint32_t> known_;
};

// What is known of an access before it gets a row.
struct Found {
  ir::Traced traced;
  uint32_t inlined = 0; // of Unit::inlinedCalls, from 1
};

model::LateId addRow(const ir::Access &access, model::FunctionId function, const Found &found, model::Unit &unit) {
  model::LateAccess row;
  row.function = function;
  row.kind = access.kind;
  row.origin = found.traced.origin;
  row.size = access.size;
  row.first = static_cast<uint32_t>(unit.lateSites.size());
  row.count = static_cast<uint32_t>(found.traced.sites.size());
  unit.lateInlined.push_back(found.inlined);
  unit.lateSites.insert(unit.lateSites.end(), found.traced.sites.begin(), found.traced.sites.end());
  return unit.late.add(row);
}

// A row says where it was inlined, and so for all of its sites.
bool canCarry(const Found &write, const Found &read) {
  return !write.traced.sites.empty() && !read.traced.sites.empty() && write.inlined == read.inlined;
}

void addSites(ir::Traced &to, const ir::Traced &from) {
  to.sites.append(from.sites);
  llvm::sort(to.sites);
  to.sites.erase(llvm::unique(to.sites), to.sites.end());
}

void addRows(LateFunction &late, model::FunctionId row, const ir::SiteIndex &index, InlinedCalls &inlined,
             model::Unit &unit) {
  llvm::SmallVector<ir::Access, 0> accesses = ir::accessesOf(*late.function);
  std::vector<Found> all;
  for (const ir::Access &access : accesses) {
    Found &found = all.emplace_back(Found{index.trace(access)});
    found.inlined = inlined.of(access.instruction->getDebugLoc(), found.traced.sites);
  }
  std::vector<size_t> carriers = carriersOf(*late.function, accesses);
  for (size_t read = 0; read != all.size(); ++read) { // before their writes
    if (carriers[read] == kNotCarried) continue;
    if (canCarry(all[carriers[read]], all[read]))
      addSites(all[carriers[read]].traced, all[read].traced);
    else
      carriers[read] = kNotCarried;
  }
  for (size_t each = 0; each != all.size(); ++each)
    if (carriers[each] == kNotCarried)
      late.accesses.push_back({accesses[each], addRow(accesses[each], row, all[each], unit)});
}

} // namespace

std::vector<LateFunction> collectLate(llvm::Module &module, const ir::SiteIndex &index, model::Unit &unit) {
  FunctionRows rows(unit);
  InlinedCalls inlined(rows, unit);
  std::vector<LateFunction> functions;
  for (llvm::Function &function : module) {
    if (!isInstrumentable(function)) continue;
    if (ir::accessesOf(function).empty()) continue;
    model::FunctionId row = rows.of(function);
    LateFunction &late = functions.emplace_back(&function, static_cast<uint32_t>(unit.functionSlots.size()));
    unit.functionSlots.push_back(row);
    addRows(late, row, index, inlined, unit);
  }
  return functions;
}

} // namespace deadheat::instrument
