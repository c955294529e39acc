#include "link/pools.h"

#include <algorithm>
#include <optional>

#include "link/direct_callers.h"
#include "link/field_names.h"

namespace deadheat::link {

namespace {

using knowledge::Action;
using model::Operand;
using model::StatementKind;

constexpr int kHelperDepth = 2;
constexpr int kSignalDepth = 3;

// `struct job.function`; empty: the site has no such words.
std::string memberAt(const model::Unit &unit, model::SiteId id) {
  if (!id.valid()) return {};
  const model::Site &site = unit.sites[id];
  std::string_view type = unit.strings[site.type], field = unit.strings[site.field];
  if (type.empty() || field.empty() || field.find_first_of("{@?") != std::string_view::npos) return {};
  return std::string(type) + "." + std::string(field);
}

const model::Statement *loadOf(const Definitions &definitions, Operand value) {
  value = definitions.strip(value);
  const model::Statement *made = value.isValue() ? definitions.of(value.value()) : nullptr;
  return made && made->kind == StatementKind::Load ? made : nullptr;
}

bool isSignal(const knowledge::Row *row) {
  return row && (row->action == Action::Signal || row->action == Action::Broadcast || row->action == Action::Post);
}

bool isAcquire(const knowledge::Row *row) { return row && row->action == Action::Acquire; }

} // namespace

void PoolFinder::addEntry(const CallSite &site, const model::Call &call, const knowledge::Row &row) {
  if (row.entryIs != knowledge::Entry::Pointer || row.entry < 0 || row.entry >= static_cast<int>(call.argumentCount))
    return;
  const model::Unit &unit = code_.unit(site.unit);
  Operand entry = Definitions(code_, site.caller)
                      .strip(unit.arguments[model::ArgumentId(call.firstArgument.value() + row.entry)].value);
  FuncId function = entry.isSymbol() ? code_.symbols.target(site.unit, entry.symbol()).function : FuncId();
  if (function.valid() && !code_.function(function).external()) entries_.try_emplace(function, &row);
}

// The entry, and functions that only these call.
std::vector<FuncId> PoolFinder::withHelpers(FuncId entry) const {
  std::vector<FuncId> all{entry};
  size_t begin = 0;
  for (int depth = 0; depth < kHelperDepth; ++depth) {
    size_t end = all.size();
    for (size_t i = begin; i < end; ++i)
      code_.forEachStatement(all[i], [&](model::BlockId, model::StatementId, const model::Statement &statement) {
        if (statement.kind != StatementKind::Call) return;
        UnitId unit = code_.function(all[i]).unit;
        FuncId callee =
            code_.directCallee(unit, code_.unit(unit).calls[model::CallId(static_cast<uint32_t>(statement.number))]);
        if (!callee.valid() || code_.function(callee).external() || code_.function(callee).addressTaken) return;
        auto callers = callers_[callee];
        bool isOnlyOurs = std::ranges::all_of(callers, [&](FuncId caller) { return caller == all[i]; });
        if (isOnlyOurs && std::ranges::find(all, callee) == all.end()) all.push_back(callee);
      });
    begin = end;
  }
  return all;
}

// A call in such a function, if it goes through a member.
void PoolFinder::addCall(FuncId function, const Definitions &definitions, model::CallId id, const knowledge::Row &row,
                         std::deque<Pool> &pools) {
  const model::Unit &unit = code_.unitOf(function);
  const model::Call &call = unit.calls[id];
  const model::Statement *load = loadOf(definitions, call.callee);
  std::string member = load ? memberAt(unit, load->site) : std::string();
  if (member.empty()) return;
  auto pool = std::ranges::find(pools, member, &Pool::member);
  if (pool == pools.end()) pool = pools.insert(pools.end(), Pool{.member = member, .row = &row});
  CallSiteId site = graph_.site(code_.function(function).unit, id);
  if (std::ranges::find(pool->calls, site) == pool->calls.end()) pool->calls.push_back(site);
  Operand record = originOf(definitions, load->a).base;
  for (uint32_t i = 0; i < call.argumentCount; ++i) {
    Operand value = definitions.strip(unit.arguments[model::ArgumentId(call.firstArgument.value() + i)].value);
    if (value == record) pool->record = static_cast<int>(i);
    if (const model::Statement *read = loadOf(definitions, value))
      if (std::string other = memberAt(unit, read->site); !other.empty())
        pool->passed.try_emplace(other, static_cast<int>(i));
  }
}

void PoolFinder::addCalls(FuncId entry, const knowledge::Row &row, std::deque<Pool> &pools) {
  for (FuncId function : withHelpers(entry)) {
    const model::Unit &unit = code_.unitOf(function);
    std::optional<Definitions> definitions;
    code_.forEachStatement(function, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
      if (statement.kind != StatementKind::Call) return;
      model::CallId id(static_cast<uint32_t>(statement.number));
      if (!unit.calls[id].callee.isValue() || (unit.calls[id].flags & model::kVirtual)) return;
      if (!definitions) definitions.emplace(code_, function);
      addCall(function, *definitions, id, row, pools);
    });
  }
}

// Who calls such a function, itself or a few calls further in.
std::vector<bool> PoolFinder::callersOf(bool (*isWanted)(const knowledge::Row *)) const {
  std::vector<FuncId> wanted;
  code_.forEachFunction([&](FuncId id) {
    if (isWanted(code_.function(id).known)) wanted.push_back(id);
  });
  return callersWithin(callers_, std::move(wanted), kSignalDepth);
}

bool PoolFinder::wakes(FuncId function) const {
  return signalling_[function.value()] ||
         std::ranges::any_of(callers_[function], [&](FuncId caller) { return bool(signalling_[caller.value()]); });
}

namespace {

// What a function stores of its parameters, by member.
struct Stores {
  std::map<std::string, int> parameters;
  std::map<std::string, int> records;   // the parameter whose record it is; -1: none
  std::map<std::string, Operand> bases; // where that record begins
  std::vector<Operand> kept;            // what it stores
  bool keepsRecord(const std::string &member) const { return std::ranges::find(kept, bases.at(member)) != kept.end(); }
};

Stores storesOf(const Code &code, FuncId id) {
  const model::Unit &unit = code.unitOf(id);
  std::optional<Definitions> definitions;
  Stores found;
  code.forEachStatement(id, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
    if (statement.kind != StatementKind::Store || !statement.b.isValue()) return;
    if (!definitions) definitions.emplace(code, id);
    found.kept.push_back(definitions->strip(statement.b));
    std::string member = memberAt(unit, statement.site);
    int parameter = member.empty() ? -1 : definitions->parameter(statement.b);
    if (parameter < 0) return;
    Operand record = originOf(*definitions, statement.a).base;
    found.parameters.try_emplace(member, parameter);
    found.records.try_emplace(member, definitions->parameter(record));
    found.bases.try_emplace(member, record);
  });
  return found;
}

knowledge::Row rowOf(const Pool &pool, const Stores &stores) {
  knowledge::Row row = *pool.row;
  row.name = pool.member.c_str();
  row.object = row.secondEntry = row.argument = knowledge::kNone;
  row.parameter = 0;
  row.entry = static_cast<signed char>(stores.parameters.at(pool.member));
  row.flags = knowledge::kJob;
  auto pass = [&](int argument, int parameter) {
    row.argument = static_cast<signed char>(argument);
    row.parameter = static_cast<unsigned char>(parameter);
  };
  for (const auto &[member, parameter] : pool.passed)
    if (auto given = stores.parameters.find(member); given != stores.parameters.end()) pass(given->second, parameter);
  int record = stores.records.at(pool.member);
  if (row.argument < 0 && pool.record >= 0 && record >= 0) pass(record, pool.record);
  return row;
}

} // namespace

std::optional<knowledge::Row> PoolFinder::submitRow(FuncId id, const std::deque<Pool> &pools) const {
  const Function &function = code_.function(id);
  if (function.external() || function.addressTaken || (function.known && replacesBody(*function.known)))
    return std::nullopt;
  if ((!wakes(id) && !locking_[id.value()]) || entries_.contains(id)) return std::nullopt;
  Stores stores = storesOf(code_, id);
  auto pool = std::ranges::find_if(pools, [&](const Pool &each) {
    return stores.parameters.contains(each.member) && (wakes(id) || stores.keepsRecord(each.member));
  });
  return pool == pools.end() ? std::nullopt : std::optional(rowOf(*pool, stores));
}

std::vector<Submit> PoolFinder::submits(const std::deque<Pool> &pools) {
  signalling_ = callersOf(isSignal);
  locking_ = callersOf(isAcquire);
  std::vector<Submit> found;
  code_.forEachFunction([&](FuncId id) {
    if (std::optional<knowledge::Row> row = submitRow(id, pools)) found.push_back({id, *row});
  });
  return found;
}

} // namespace deadheat::link
