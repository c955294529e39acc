#include "analyse/filter/counted.h"

#include <algorithm>

#include "analyse/filter/comes_to.h"
#include "analyse/symbolic/waits.h"

namespace deadheat::analyse {

using link::FuncId;
using model::Statement;
using model::StatementId;
using model::StatementKind;

static constexpr uint32_t kMaxBlocks = 16; // of a function that only waits
static constexpr size_t kMaxUses = 256;    // functions that lead to what counts

Counted::Counted(const World &world)
    : world_(world), code_{world.environment.program.units, world.environment.program.symbols} {
  addWaits();
  addCounting();
  for (Count &count : counts_) {
    spreadWaits(count);
    spreadCounting(count);
  }
}

// A member, or a variable with a name.
Counted::Count *Counted::find(FuncId function, model::SiteId site, model::Operand address, bool adds) {
  const uint32_t field = world_.environment.fields.of(code_.function(function).unit, site);
  const bool isVariable = field == 0 && address.isSymbol();
  if (field == 0 && !isVariable) return nullptr;
  const link::Location where =
      isVariable ? world_.environment.program.pointsTo.of(function, address) : link::Location();
  auto [place, isNew] = numbers_.try_emplace({field, where}, counts_.size());
  if (!isNew) return &counts_[place->second];
  if (adds) return &counts_.emplace_back();
  numbers_.erase(place);
  return nullptr;
}

// The test at the end of the block is whether something is 0.
bool Counted::isUntilNone(FuncId function, uint32_t block) const {
  const model::Unit &unit = code_.unitOf(function);
  const model::Block &row = unit.blocks[model::BlockId(code_.bodyOf(function).firstBlock.value() + block)];
  const Statement &last = unit.statements[StatementId(row.firstStatement.value() + row.statementCount - 1)];
  auto isNone = [](model::Operand operand) { return operand.isNumber() && operand.index == 0; };
  return isNone(last.a) || isNone(last.b);
}

void Counted::addWaits() {
  const link::Program &program = world_.environment.program;
  code_.forEachFunction([&](FuncId function) {
    if (!world_.environment.summary(function).ready) return;
    for (const auto &[edge, all] : findWaitExits(program, function, world_.environment.waiters)) {
      exits_[function].insert(edge);
      if (all.size() != 1 || !all[0].site.valid() || !isUntilNone(function, edge.first)) continue;
      if (Count *count = find(function, all[0].site, all[0].address, true)) (*count)[function].exits.insert(edge);
    }
  });
}

// Not a store of a constant, which is where it begins.
void Counted::addCounting() {
  if (counts_.empty()) return;
  code_.forEachFunction([&](FuncId function) {
    if (!world_.environment.summary(function).ready) return;
    code_.forEachStatement(function, [&](model::BlockId, StatementId id, const Statement &statement) {
      if (statement.kind != StatementKind::Store || !statement.b.isValue() || !statement.site.valid()) return;
      if (Count *count = find(function, statement.site, statement.a, false)) (*count)[function].counting.insert(id);
    });
  });
}

// By name.
template <typename Visit> void Counted::forEachCaller(FuncId function, Visit visit) const {
  const link::CallGraph &calls = world_.environment.program.calls;
  for (link::CallSiteId id : calls.callers[function]) {
    const link::CallSite &site = calls.sites[id];
    if (site.caller.valid() && code_.directCallee(site.unit, code_.unit(site.unit).calls[site.call]) == function)
      visit(site);
  }
}

void Counted::spreadWaits(Count &count) const {
  std::vector<FuncId> open;
  for (const auto &[function, use] : count)
    if (!use.exits.empty()) open.push_back(function);
  for (size_t next = 0; next < open.size() && next < kMaxUses; ++next) {
    if (code_.bodyOf(open[next]).blockCount > kMaxBlocks) continue;
    forEachCaller(open[next], [&](const link::CallSite &site) {
      count[site.caller].waiting.insert(site.statement);
      if (std::ranges::find(open, site.caller) == open.end()) open.push_back(site.caller);
    });
  }
}

// From functions that return with what they have counted.
void Counted::spreadCounting(Count &count) const {
  std::vector<FuncId> open;
  for (const auto &[function, use] : count)
    if (!use.counting.empty()) open.push_back(function);
  for (size_t next = 0; next < open.size() && next < kMaxUses; ++next) {
    Statements ends;
    code_.forEachStatement(open[next], [&](model::BlockId, StatementId id, const Statement &statement) {
      if (statement.kind == StatementKind::Return) ends.insert(id);
    });
    if (const Use &use = count.at(open[next]); !leads(open[next], use.counting, ends, use)) continue;
    forEachCaller(open[next], [&](const link::CallSite &site) {
      Use &use = count[site.caller];
      if (use.waiting.contains(site.statement)) return;
      use.counting.insert(site.statement);
      if (std::ranges::find(open, site.caller) == open.end()) open.push_back(site.caller);
    });
  }
}

bool Counted::leads(FuncId function, const Statements &from, const Statements &to, const Use &over) const {
  auto step = [&](StatementId statement) {
    if (to.contains(statement)) return Coming::Found;
    return over.waiting.contains(statement) ? Coming::Stop : Coming::On;
  };
  auto isWay = [&](uint32_t block, uint32_t next) { return !over.exits.contains({block, next}); };
  return comesToAfter(world_.environment.program, function, from, step, isWay);
}

Counted::Place Counted::placeOf(size_t number, const Step &step) {
  auto known = counts_[number].find(step.function);
  if (known == counts_[number].end() || known->second.counting.empty()) return {};
  auto [place, isNew] = places_.try_emplace({number, step.function, step.statement});
  if (!isNew) return place->second;
  const Use &use = known->second;
  Statements others = use.counting;
  others.erase(step.statement);
  auto exits = exits_.find(step.function);
  const Use anyWait{.exits = exits == exits_.end() ? Exits() : exits->second};
  return place->second = {.counts = true,
                          .waits = !use.waiting.empty() || !use.exits.empty(),
                          .isOpen = leads(step.function, use.counting, {step.statement}, use),
                          .isAwake = leads(step.function, others, {step.statement}, anyWait),
                          .follows = leads(step.function, {step.statement}, others, {})};
}

bool Counted::isSettled(size_t number, const std::vector<Step> &way) {
  bool waits = false;
  for (const Step &step : way) {
    const Place place = placeOf(number, step);
    if (place.isOpen) return false;
    waits |= place.counts && place.waits;
  }
  return waits;
}

bool Counted::isCountedLast(size_t number, const std::vector<Step> &way) {
  bool follows = false;
  for (const Step &step : way) {
    const Place place = placeOf(number, step);
    if (place.isAwake) return false;
    follows |= place.follows;
  }
  return follows;
}

bool Counted::isOff(const std::vector<Step> &later, const std::vector<Step> &earlier) {
  for (size_t number = 0; number < counts_.size(); ++number)
    if (isSettled(number, later) && isCountedLast(number, earlier)) return true;
  return false;
}

} // namespace deadheat::analyse
