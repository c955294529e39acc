#include "link/field_targets.h"

#include <algorithm>

#include "link/components.h"
#include "link/pointer_types.h"

namespace deadheat::link {

namespace {

using knowledge::Action;
using model::Operand;
using model::Statement;
using model::StatementKind;

constexpr uint32_t kPointerBytes = 8;
constexpr size_t kMostStrays = 16;       // beside functions that are there by name
constexpr size_t kMostStraysAlone = 256; // where there are no others
constexpr size_t kMostSources = 256;     // of one value, through choices

bool readsMemory(StatementKind kind) {
  return kind == StatementKind::Load || kind == StatementKind::AtomicLoad || kind == StatementKind::AtomicUpdate;
}

bool writesMemory(StatementKind kind) {
  return kind == StatementKind::Store || kind == StatementKind::AtomicStore || kind == StatementKind::AtomicUpdate;
}

// Finds code by its name.
bool looksUp(std::string_view function) {
  constexpr std::string_view kNames[] = {"dlsym", "dlvsym", "lt_dlsym"};
  return std::ranges::find(kNames, function) != std::end(kNames);
}

} // namespace

FieldTargets::FieldTargets(const Code &code, const CallGraph &sites, const Wrappers &wrappers, const ArrayTypes &arrays)
    : code_(code), sites_(sites), wrappers_(wrappers), names_(code, arrays) {
  number();
  addInitialisers();
  code_.forEachFunction([&](FuncId id) {
    if (!code_.function(id).external()) addFunction(id);
  });
  solve();
}

void FieldTargets::number() {
  facts_.emplace_back(); // kFree
  firstField_ = static_cast<Node>(facts_.size());
  facts_.resize(facts_.size() + names_.size());
  std::vector<bool> called(code_.symbols.functions.size(), false);
  for (const CallSite &site : sites_.sites)
    if (FuncId callee = code_.directCallee(site.unit, code_.unit(site.unit).calls[site.call]); callee.valid())
      called[callee.value()] = true;
  code_.forEachFunction([&](FuncId id) {
    const Function &function = code_.function(id);
    result_.push_back(addNode());
    firstParameter_.push_back(static_cast<Node>(facts_.size()));
    // A call through a pointer hands on what is anywhere; code without a model, what it has itself besides.
    Facts facts{.external = function.visible && !called[id.value()],
                .stored = function.addressTaken || !called[id.value()]};
    facts_.insert(facts_.end(), function.parameterCount, facts);
  });
}

FieldTargets::Node FieldTargets::variableNode(GlobalId variable) {
  auto [at, fresh] = variables_.try_emplace(variable.value(), kNoNode);
  if (fresh) {
    at->second = addNode();
    facts_[at->second].unknown = !code_.symbols.variables[variable].defined;
  }
  return at->second;
}

void FieldTargets::addInitialisers() {
  for (uint32_t u = 0; u < code_.units.size(); ++u)
    for (const model::Initialiser &row : code_.units[u].unit.initialisers) {
      GlobalId id = code_.symbols.target(UnitId(u), row.variable).variable;
      FuncId function = code_.symbols.target(UnitId(u), row.target).function;
      if (!id.valid() || !function.valid()) continue;
      const Variable &variable = code_.symbols.variables[id];
      std::span<const FieldId> fields = names_.at(variable, row.offset);
      held_.emplace_back(variableNode(id), function);
      for (FieldId field : fields) held_.emplace_back(firstField_ + field.value(), function);
      if (fields.empty() && variable.size > kPointerBytes) held_.emplace_back(kFree, function);
    }
}

void FieldTargets::addFunction(FuncId id) {
  Definitions definitions(code_, id);
  const model::Unit &unit = code_.unitOf(id);
  code_.forEachStatement(id, [&](model::BlockId, model::StatementId, const Statement &statement) {
    if (writesMemory(statement.kind)) {
      uint32_t size = statement.site.valid() ? unit.sites[statement.site].size : 0;
      if (size == 0 || size >= kPointerBytes) flow(id, definitions, statement.b, placeOf(id, definitions, statement));
    } else if (statement.kind == StatementKind::Return) {
      flow(id, definitions, statement.a, result_[id.value()]);
    } else if (statement.kind == StatementKind::Compute) {
      for (Operand operand : {statement.a, statement.b})
        if (operand.isSymbol()) flow(id, definitions, operand, kFree);
    } else if (statement.kind == StatementKind::Call) {
      addCall(id, definitions, statement);
    }
  });
}

static bool isEntry(const knowledge::Row &row, uint32_t argument) {
  return row.entryIs == knowledge::Entry::Pointer &&
         (row.entry == static_cast<int>(argument) || row.secondEntry == static_cast<int>(argument));
}

void FieldTargets::addCall(FuncId id, const Definitions &definitions, const Statement &statement) {
  const model::Unit &unit = code_.unitOf(id);
  model::CallId callId(static_cast<uint32_t>(statement.number));
  const model::Call &call = unit.calls[callId];
  FuncId callee = code_.directCallee(code_.function(id).unit, call);
  if (call.callee.isValue() && !(call.flags & model::kVirtual)) {
    Node node = addNode();
    const model::Operand plain = memberPointer(definitions, call.callee);
    flow(id, definitions, plain.isValue() ? plain : call.callee, node);
    facts_[node].stored = false; // that a call loads it gives it nothing
    callees_.emplace_back(sites_.site(code_.function(id).unit, callId), node);
  }
  if (callee.valid()) {
    const knowledge::Row *row =
        wrappers_.spawns[callee.value()] ? wrappers_.spawns[callee.value()] : code_.function(callee).known;
    if (row && (row->action == Action::Spawn || row->action == Action::Fulfil))
      addEntry(id, definitions, call, *row, sites_.site(code_.function(id).unit, callId));
  }
  bool hasBody = callee.valid() && !code_.function(callee).external() &&
                 !(code_.function(callee).known && replacesBody(*code_.function(callee).known));
  const knowledge::Row *calls = callee.valid() && !hasBody ? code_.function(callee).known : nullptr;
  for (uint32_t i = 0; i < call.argumentCount; ++i) {
    if (calls && isEntry(*calls, i)) continue; // the library calls it, and shows it to nobody
    bool bound = hasBody && i < code_.function(callee).parameterCount;
    flow(id, definitions, unit.arguments[model::ArgumentId(call.firstArgument.value() + i)].value,
         bound ? firstParameter_[callee.value()] + i : kFree);
  }
}

void FieldTargets::addEntry(FuncId id, const Definitions &definitions, const model::Call &call,
                            const knowledge::Row &row, CallSiteId site) {
  using enum knowledge::Entry;
  FieldId member = row.entryIs == Member && row.through ? names_.named(row.through) : FieldId();
  if (row.entryIs != Pointer && !member.valid()) return;
  Node node = addNode();
  callees_.emplace_back(site, node);
  if (member.valid()) return edges_.emplace_back(firstField_ + member.value(), node), void();
  for (int entry : {int(row.entry), int(row.secondEntry)})
    if (entry >= 0 && static_cast<uint32_t>(entry) < call.argumentCount)
      flow(id, definitions, code_.unitOf(id).arguments[model::ArgumentId(call.firstArgument.value() + entry)].value,
           node);
  facts_[node].stored = false;
}

// The member or variable that is accessed; kFree: it has no name.
FieldTargets::Node FieldTargets::placeOf(FuncId id, const Definitions &definitions, const Statement &access) {
  UnitId unit = code_.function(id).unit;
  if (access.site.valid())
    if (FieldId field = names_.at(unit, access.site); field.valid()) return firstField_ + field.value();
  Origin origin = originOf(definitions, access.a);
  if (!origin.base.isSymbol()) return kFree;
  GlobalId variable = code_.symbols.target(unit, origin.base.symbol()).variable;
  return variable.valid() ? variableNode(variable) : kFree;
}

void FieldTargets::flow(FuncId id, const Definitions &definitions, Operand value, Node to) {
  std::vector<Operand> pending{value};
  std::vector<model::ValueId> seen;
  facts_[to].stored = true;
  while (!pending.empty()) {
    Operand next = definitions.strip(pending.back());
    pending.pop_back();
    if (next.isSymbol()) {
      FuncId function = code_.symbols.target(code_.function(id).unit, next.symbol()).function;
      if (function.valid()) held_.emplace_back(to, function);
    }
    if (!next.isValue() || std::ranges::find(seen, next.value()) != seen.end()) continue;
    seen.push_back(next.value());
    if (seen.size() > kMostSources) {
      facts_[to].unknown = true;
      return;
    }
    if (!definitions.forEachSource(next.value(), [&](Operand source) { pending.push_back(source); }))
      flowValue(id, definitions, next.value(), to);
  }
}

void FieldTargets::flowValue(FuncId id, const Definitions &definitions, model::ValueId value, Node to) {
  const Statement *made = definitions.of(value);
  if (!made) {
    bool isParameter = value.value() < code_.function(id).parameterCount;
    if (isParameter)
      edges_.emplace_back(firstParameter_[id.value()] + value.value(), to);
    else
      facts_[to].unknown = true;
    return;
  }
  if (made->kind == StatementKind::Stack || made->kind == StatementKind::Compare) return;
  if (made->kind == StatementKind::Call) return flowResult(id, *made, to);
  Node from = readsMemory(made->kind) ? placeOf(id, definitions, *made) : kFree;
  if (from == kFree)
    facts_[to].unknown = true;
  else
    edges_.emplace_back(from, to);
}

void FieldTargets::flowResult(FuncId id, const Statement &statement, Node to) {
  const model::Call &call = code_.unitOf(id).calls[model::CallId(static_cast<uint32_t>(statement.number))];
  FuncId callee = code_.directCallee(code_.function(id).unit, call);
  if (!callee.valid()) {
    facts_[to].unknown = true;
    return;
  }
  const Function &function = code_.function(callee);
  bool replaced = function.known && replacesBody(*function.known);
  if (!function.external() && !replaced) return edges_.emplace_back(result_[callee.value()], to), void();
  if (replaced && (function.known->action == Action::Allocate || function.known->action == Action::Reallocate)) return;
  facts_[to].external = true;
  facts_[to].unknown |= looksUp(function.name) || function.name.starts_with("llvm.");
}

// Sources first, over the components of the graph.
void FieldTargets::solve() {
  uint32_t count = static_cast<uint32_t>(facts_.size());
  ListsBuilder<Id<struct NodeRow>, uint32_t> builder(count);
  for (auto [from, to] : edges_) builder.add(Id<struct NodeRow>(to), from);
  edges_ = {};
  Lists<Id<struct NodeRow>, uint32_t> sources = builder.finish();
  Components found = findComponents(count, [&](uint32_t node) { return sources[Id<struct NodeRow>(node)]; });
  ListsBuilder<ComponentId, uint32_t> members(found.count);
  for (uint32_t node = 0; node < count; ++node) members.add(ComponentId(found.of[node]), node);
  Lists<ComponentId, uint32_t> nodes = members.finish();

  std::vector<Solved> solved(found.count);
  for (auto [node, function] : held_) {
    solved[found.of[node]].flowing.push_back(sets_.single(function.value()));
    facts_[node].stored = true;
  }
  held_ = {};
  for (uint32_t c = 0; c < found.count; ++c) {
    for (uint32_t node : nodes[ComponentId(c)]) {
      solved[c].facts |= facts_[node];
      for (uint32_t source : sources[Id<struct NodeRow>(node)])
        if (found.of[source] != c) solved[c].take(solved[found.of[source]]);
    }
    solved[c].set = sets_.uniteAll(solved[c].flowing);
    solved[c].flowing = {};
  }
  conclude(solved, found.of);
}

void FieldTargets::keep(uint32_t narrowing, std::vector<FuncId> &functions) const {
  auto isNamed = [&](FuncId id) { return std::ranges::binary_search(named(narrowing), id.value()); };
  size_t strays = 0;
  for (FuncId id : functions) strays += free_[id.value()] && !isNamed(id);
  bool mistaken = strays > kMostStraysAlone || (strays > kMostStrays && std::ranges::any_of(functions, isNamed));
  std::erase_if(functions, [&](FuncId id) { return !isNamed(id) && (mistaken || !free_[id.value()]); });
}

void FieldTargets::conclude(const std::vector<Solved> &solved, const std::vector<uint32_t> &componentOf) {
  free_.assign(code_.symbols.functions.size(), false);
  for (uint32_t function : sets_[solved[componentOf[kFree]].set]) free_[function] = true;
  for (auto [site, node] : callees_) {
    const Solved &callee = solved[componentOf[node]];
    if (!callee.facts.unknown && callee.facts.stored)
      narrowings_[site.value()] = callee.set << 1 | uint32_t(callee.facts.external);
  }
  facts_ = {};
  callees_ = {};
}

} // namespace deadheat::link
