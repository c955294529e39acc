#include <algorithm>
#include <set>
#include <utility>

#include "link/places.h"
#include "link/points_to_builder.h"

namespace deadheat::link {

namespace {

constexpr size_t kMaxOddSignatures = 16;

constexpr size_t kMaxEntries = 256; // of one start: more say that nothing is known of it

constexpr uint32_t kNoHub = UINT32_MAX - 2; // of a pointer that only names lead to

constexpr int kMaxRounds = 32; // each but the last binds something; real programs need three to five

} // namespace

void PointsToBuilder::bindUntilStable() {
  code_.forEachFunction([&](FuncId id) {
    uint32_t type = signature(code_.function(id).signature);
    signatureOf_.push_back(type);
    if (code_.function(id).addressTaken && !pointers_.isInTablesOnly(id)) addressTaken_[type].push_back(id);
  });
  for (int round = 0; round < kMaxRounds; ++round) {
    graph_.closeCycles();
    graph_.solve();
    graph_.shortenAll();
    reaching_.solve();
    targets_.clear();
    findTypes();
    if (!bindWhatFlows()) break;
  }
}

// What flows along new edges is seen at once: a chain of calls, or of numbers that turn out to be pointers, takes no round for each
// link.
bool PointsToBuilder::bindWhatFlows() {
  bool changed = false;
  while (bindComputed() || bindAll()) {
    changed = true;
    reaching_.grow();
  }
  return changed;
}

bool PointsToBuilder::bindComputed() {
  auto points = [&](Location location) { return reaching_.factsAt(location) != 0; };
  size_t before = computed_.size();
  std::erase_if(computed_, [&](const Computed &row) {
    bool a = points(row.a), b = points(row.b);
    if (a || b) graph_.flow(a ? row.a : row.b, row.result);
    return a || b;
  });
  return computed_.size() != before;
}

const model::Call &PointsToBuilder::callOf(const Unbound &call) const {
  const CallSite &site = sites_.sites[call.site];
  return code_.unit(site.unit).calls[site.call];
}

std::string_view PointsToBuilder::typeOf(const Unbound &call) const {
  return code_.unit(sites_.sites[call.site].unit).strings[callOf(call).type];
}

uint32_t PointsToBuilder::signature(std::string_view text) {
  return signatures_.try_emplace(text, static_cast<uint32_t>(signatures_.size())).first->second;
}

// What the machine and the source say of the pointer, as one number.
uint32_t PointsToBuilder::kindOf(const Unbound &call) {
  auto [at, fresh] = kinds_.try_emplace(call.site.value());
  if (fresh) {
    std::string words = pointers_.wordsOf(sites_.sites[call.site]);
    at->second = {signature(words.empty() ? typeOf(call) : std::string(typeOf(call)) + " " + words), std::move(words)};
  }
  return at->second.number;
}

bool PointsToBuilder::usesResult(const Unbound &call) const {
  const CallSite &site = sites_.sites[call.site];
  return site.statement.valid() && code_.unit(site.unit).statements[site.statement].result.valid();
}

// A parameter of the one is a pointer where the other gives a number. Parameters that are structs end it.
static bool takesNumberForPointer(std::string_view function, std::string_view call) {
  auto parameters = [](std::string_view text) { return text.substr(std::min(text.find('('), text.size())); };
  function = parameters(function), call = parameters(call);
  auto next = [](std::string_view &text) {
    text.remove_prefix(std::min<size_t>(1, text.size()));
    std::string_view one = text.substr(0, text.find_first_of(",)"));
    text.remove_prefix(one.size());
    return one;
  };
  auto isOver = [](std::string_view one) { return one.empty() || one.find_first_of("{[<%") != one.npos; };
  while (true) {
    const std::string_view taken = next(function), given = next(call);
    if (isOver(taken) || isOver(given)) return false;
    if (taken == "ptr" && given.starts_with('i')) return true;
  }
}

// Without its signature: its arguments suffice, no number is taken for a pointer, something is returned if it is made use of, and its
// address was somewhere without a name, unless names have spoken of this call already.
bool PointsToBuilder::isFitting(FuncId candidate, const Unbound &call) const {
  const Function &function = code_.function(candidate);
  if (function.external()) return true;
  if (fields_.narrowing(call.site) == FieldTargets::kAnything && !fields_.isAnywhere(candidate)) return false;
  const bool isMute = usesResult(call) && function.signature.starts_with("void(");
  return function.parameterCount <= call.arguments.size() && !isMute &&
         !takesNumberForPointer(function.signature, typeOf(call));
}

// Those with the signature of the call, if there are any; else those that fit. Many without its signature are there by mistake, all of
// them.
std::vector<FuncId> PointsToBuilder::withSignature(const std::vector<FuncId> &candidates, uint32_t type,
                                                   const Unbound &call) const {
  std::vector<FuncId> equal, fitting;
  for (FuncId candidate : candidates) {
    if (signatureOf_[candidate.value()] == type) equal.push_back(candidate);
    if (isFitting(candidate, call)) fitting.push_back(candidate);
  }
  if (equal.empty() && fitting.size() <= kMaxOddSignatures) return fitting;
  return equal;
}

void PointsToBuilder::findTypes() {
  types_.clear();
  places_.clear();
  for (const TableStore &store : tableStores_)
    for (const Place &place : placesIn(store.place).list) types_[place].emplace_back(store.table, store.offset);
  for (auto &[place, tables] : types_) {
    std::ranges::sort(tables);
    auto [first, last] = std::ranges::unique(tables);
    tables.erase(first, last);
    virtual_.keepMostDerived(tables);
  }
}

const Places &PointsToBuilder::placesIn(Location location) {
  Location key = location.valid() ? Location{graph_.find(location.node), location.offset} : location;
  auto [at, fresh] = places_.try_emplace(key);
  if (fresh) at->second = placesOf(graph_, key);
  return at->second;
}

// Functions in the slot of the vtables that the objects were given; exact: each object has one.
std::vector<FuncId> PointsToBuilder::byType(Location object, uint32_t slot, bool &exact) {
  const Places &places = placesIn(object);
  exact = places.complete && !places.list.empty();
  std::vector<FuncId> found;
  for (const Place &place : places.list) {
    auto tables = types_.find(place);
    if (tables == types_.end()) exact = false;
    if (tables == types_.end()) continue;
    for (auto [table, offset] : tables->second)
      if (FuncId callee = virtual_.at(table, uint64_t(offset) + slot); callee.valid()) found.push_back(callee);
  }
  std::ranges::sort(found);
  auto [first, last] = std::ranges::unique(found);
  found.erase(first, last);
  exact &= !found.empty();
  return found;
}

const Targets &PointsToBuilder::targets(const Unbound &call) {
  SetPool::Set set = reaching_.at(call.callee);
  bool through = call.kind == Unbound::Kind::Call;
  uint8_t facts =
      reaching_.factsAt(call.callee) & (through ? ReachingFunctions::kHasExternal : ReachingFunctions::kHasData);
  uint32_t type = through ? kindOf(call) : 0;
  uint32_t shape = through && (callOf(call).flags & model::kVirtual) ? callOf(call).slot : call.arguments.size();
  if (call.returnsNothing) shape |= 1u << 31;
  if (through && usesResult(call)) shape |= 1u << 30;
  NodeId object = call.object.valid() ? graph_.find(call.object.node) : NodeId();
  auto [at, fresh] = targets_.try_emplace(
      {set,
       reaching_.at(call.plain),
       type,
       shape,
       facts,
       call.kind,
       {object, call.object.offset},
       through || call.kind == Unbound::Kind::Entry ? fields_.narrowing(call.site) : FieldTargets::kAnything});
  if (fresh) at->second = through ? findTargets(call, set) : findEntries(call, set);
  return at->second;
}

// An entry takes as many parameters as it is given, where the pointer reaches any such; what the kernel runs later on
// returns nothing.
void PointsToBuilder::keepEntryShape(const Unbound &call, std::vector<FuncId> &functions) const {
  auto fits = [&](FuncId id) {
    const Function &function = code_.function(id);
    return function.external() || (function.parameterCount == call.arguments.size() &&
                                   (!call.returnsNothing || function.signature.starts_with("void(")));
  };
  if (std::ranges::any_of(functions, fits)) std::erase_if(functions, [&](FuncId id) { return !fits(id); });
}

std::vector<FuncId> PointsToBuilder::withEntryShape(const Unbound &call) const {
  std::vector<FuncId> functions;
  code_.forEachFunction([&](FuncId id) {
    if (code_.function(id).addressTaken && !code_.function(id).external()) functions.push_back(id);
  });
  keepEntryShape(call, functions);
  return functions;
}

// An argument that may be data is data: code without a body gets many pointers, and calls few.
Targets PointsToBuilder::findEntries(const Unbound &call, SetPool::Set set) {
  Targets result;
  bool exact = false;
  if (call.object.valid()) result.functions = byType(call.object, call.slot, exact);
  if (!result.functions.empty()) return result;
  if (call.kind == Unbound::Kind::Callback && (reaching_.factsAt(call.callee) & ReachingFunctions::kHasData))
    return result;
  if (set == SetPool::kAll)
    result.functions = withEntryShape(call);
  else
    for (uint32_t id : reaching_.members(set)) result.functions.push_back(FuncId(id));
  if (call.kind == Unbound::Kind::Entry) {
    keepEntryShape(call, result.functions);
    if (uint32_t narrowing = fields_.narrowing(call.site); narrowing != FieldTargets::kAnything)
      fields_.keep(narrowing, result.functions);
    else if (result.functions.size() > kMaxEntries)
      result.functions.clear();
  }
  result.open = result.functions.empty();
  return result;
}

std::vector<FuncId> PointsToBuilder::functionsIn(SetPool::Set set, uint32_t type) {
  if (set == SetPool::kAll) return addressTaken_[type];
  std::vector<FuncId> functions;
  for (uint32_t id : reaching_.members(set)) functions.push_back(FuncId(id));
  return functions;
}

// Of what stands in vtables, where pointers to members lead: by the class, and by the objects' types if all are known.
std::vector<FuncId> PointsToBuilder::findVirtualMembers(const Unbound &call, const std::vector<FuncId> &flowing) {
  const std::string_view owner = PointerTypes::ownerIn(kinds_[call.site.value()].words);
  const uint32_t type = signature(typeOf(call));
  const std::set<uint32_t> slots = pointers_.memberSlots(owner);
  if (slots.empty()) return flowing;
  std::set<FuncId> found;
  for (uint32_t slot : slots) {
    bool exact = false;
    std::vector<FuncId> typed = byType(call.object, slot, exact), both;
    std::vector<FuncId> byClass = owner.empty() ? virtual_.inSlot(slot) : virtual_.candidates(owner, slot);
    std::ranges::set_intersection(byClass, exact ? typed : flowing, std::back_inserter(both));
    for (FuncId id : both.empty() && !owner.empty() ? byClass : both)
      if (signatureOf_[id.value()] == type) found.insert(id);
  }
  return {found.begin(), found.end()};
}

// Through a pointer to a member: the methods that the pointer holds, and of what stands in vtables that of their classes.
Targets PointsToBuilder::findMembers(const Unbound &call, SetPool::Set set) {
  uint32_t type = signature(typeOf(call)), narrowing = fields_.narrowing(call.site);
  bool narrowed = narrowing != FieldTargets::kAnything;
  Targets result;
  result.functions = functionsIn(reaching_.at(call.plain), type);
  if (narrowed) fields_.keep(narrowing, result.functions);
  result.functions = withSignature(result.functions, type, call);
  if (narrowed) completeByName(narrowing, type, result);
  std::erase_if(result.functions, [&](FuncId id) { return !virtual_.isMethod(id) || pointers_.isInTablesOnly(id); });
  if (std::string_view owner = PointerTypes::ownerIn(kinds_[call.site.value()].words); !owner.empty())
    virtual_.keepRelated(owner, result.functions);
  std::vector<FuncId> others = findVirtualMembers(call, withSignature(functionsIn(set, type), type, call));
  if (!result.functions.empty()) {
    std::erase_if(others, [&](FuncId id) { return !pointers_.isInTablesOnly(id); });
    virtual_.keepRelated(result.functions, others);
  }
  std::vector<FuncId> all;
  std::ranges::set_union(result.functions, others, std::back_inserter(all));
  result.functions = std::move(all);
  result.open |= result.functions.empty();
  return result;
}

Targets PointsToBuilder::findTargets(const Unbound &call, SetPool::Set set) {
  if (call.plain.valid()) return findMembers(call, set);
  uint32_t type = signature(typeOf(call)), narrowing = fields_.narrowing(call.site);
  bool narrowed = narrowing != FieldTargets::kAnything;
  Targets result;
  result.functions = functionsIn(set, type);
  if (narrowed) fields_.keep(narrowing, result.functions);
  result.functions = withSignature(result.functions, type, call);
  if (callOf(call).flags & model::kVirtual)
    result.functions = findVirtual(call, result.functions);
  else if (narrowed)
    completeByName(narrowing, type, result);
  else if (reaching_.factsAt(call.callee) & ReachingFunctions::kHasExternal)
    addTaken(type, result);
  const std::string &words = kinds_[call.site.value()].words;
  if (result.functions.empty() && PointerTypes::areExact(words)) addTaken(type, result);
  pointers_.keep(words, result.functions);
  result.open |= result.functions.empty();
  return result;
}

// What unknown code made may be any function of that type that it can have got hold of.
void PointsToBuilder::addTaken(uint32_t type, Targets &targets) {
  targets.open = true;
  std::vector<FuncId> all;
  std::ranges::set_union(addressTaken_[type], targets.functions, std::back_inserter(all));
  targets.functions = std::move(all);
}

// Where points-to lost the way, names tell it themselves.
void PointsToBuilder::completeByName(uint32_t narrowing, uint32_t type, Targets &targets) {
  if (FieldTargets::isOpen(narrowing)) {
    addTaken(type, targets);
    fields_.keep(narrowing, targets.functions);
  }
  if (!targets.functions.empty()) return;
  for (uint32_t id : fields_.named(narrowing))
    if (signatureOf_[id] == type) targets.functions.push_back(FuncId(id));
}

// By the objects' types if all are known; else by the class, narrowed by what flows where that leaves anything. Objects whose
// class has nothing to do with the static one are there by mistake.
std::vector<FuncId> PointsToBuilder::findVirtual(const Unbound &call, const std::vector<FuncId> &flowing) {
  bool exact = false;
  std::vector<FuncId> typed = byType(call.object, call.slot, exact);
  std::vector<FuncId> byClass = virtual_.candidates(typeOf(call), call.slot), both;
  if (!byClass.empty()) virtual_.keepRelated(typeOf(call), typed);
  if (exact && !typed.empty()) return typed;
  std::ranges::set_intersection(flowing, byClass, std::back_inserter(both));
  if (both.empty()) both = byClass.empty() ? flowing : byClass;
  std::vector<FuncId> all;
  std::ranges::set_union(both, typed, std::back_inserter(all));
  return all;
}

bool PointsToBuilder::bindAll() {
  bool changed = false;
  ++pass_;
  for (size_t i = 0, end = unbound_.size(); i < end; ++i) { // binding an entry may add to unbound_
    const Targets &found = targets(unbound_[i]);
    if (found.functions.empty()) continue;
    changed |= unbound_[i].kind == Unbound::Kind::Call ? bindGroup(unbound_[i], found)
                                                       : bindEach(static_cast<uint32_t>(i), found);
  }
  return changed;
}

// All calls through one hub with one signature share one set of edges to their targets. They go on to, when their hub becomes one with
// another: then both groups get the same targets.
bool PointsToBuilder::bindGroup(Unbound &call, const Targets &found) {
  bool fresh = call.group == UINT32_MAX;
  if (fresh) join(call, groupFor(call));
  Group &group = groups_[call.group];
  if (std::exchange(group.pass, pass_) == pass_) return fresh;
  std::vector<FuncId> added;
  std::ranges::set_difference(found.functions, group.bound, std::back_inserter(added));
  for (FuncId callee : added) {
    for (size_t i = 0; i < group.parameters.size(); ++i) bindParameter(group, i, callee);
    graph_.flow(resultOf(call.site, callee), group.result);
  }
  group.bound.insert(group.bound.end(), added.begin(), added.end());
  std::ranges::sort(group.bound);
  return fresh || !added.empty();
}

uint32_t PointsToBuilder::groupFor(const Unbound &call) {
  bool isVirtual = (callOf(call).flags & model::kVirtual) != 0;
  uint32_t hub = call.callee.valid() ? graph_.find(call.callee.node).value() : kNoHub;
  std::pair<uint32_t, uint64_t> key{hub, uint64_t(fields_.narrowing(call.site)) << 32 | kindOf(call) * 2 | isVirtual};
  auto [at, fresh] = groupOf_.try_emplace(key, static_cast<uint32_t>(groups_.size()));
  if (fresh) groups_.push_back({{}, graph_.addHub(), {}});
  return at->second;
}

void PointsToBuilder::join(Unbound &call, uint32_t index) {
  call.group = index;
  Group &group = groups_[index];
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    if (i == group.parameters.size()) {
      group.parameters.push_back(graph_.addHub());
      for (FuncId callee : group.bound) bindParameter(group, i, callee);
    }
    graph_.flow(call.arguments[i], group.parameters[i]);
  }
  if (call.result.valid()) graph_.flow({group.result, 0}, call.result);
}

void PointsToBuilder::bindParameter(const Group &group, size_t index, FuncId callee) {
  if (index < code_.function(callee).parameterCount && firstParameter_[callee.value()].valid())
    graph_.flow({group.parameters[index], 0},
                NodeId(firstParameter_[callee.value()].value() + static_cast<uint32_t>(index)));
}

Location PointsToBuilder::resultOf(CallSiteId site, FuncId callee) {
  const Function &function = code_.function(callee);
  if (!function.external()) return {state_->returned[callee.value()], 0};
  if (!function.known) return function.signature.starts_with("ptr") ? externalObject(callee) : Location();
  if (function.known->action != knowledge::Action::Allocate) return {};
  const CallSite &row = sites_.sites[site];
  Object block{.kind = ObjectKind::Heap, .function = row.caller, .statement = row.statement, .call = site};
  return {graph_.addObject(block), 0};
}

bool PointsToBuilder::bindEach(uint32_t index, const Targets &found) {
  bool changed = false;
  for (FuncId callee : found.functions) {
    if (!boundPairs_.insert({index, callee.value()}).second) continue;
    changed = true;
    Unbound call = unbound_[index]; // the rest may add to unbound_
    const Function &function = code_.function(callee);
    if (call.kind == Unbound::Kind::Callback || call.kind == Unbound::Kind::Library)
      bindCallback(call, callee);
    else if (function.known && function.known->action == knowledge::Action::Calls)
      enter({call.site, {}, nullptr, call.arguments, {}}, *function.known);
    else
      bind(call.arguments, callee);
  }
  return changed;
}

void PointsToBuilder::bindCallback(const Unbound &call, FuncId callee) {
  const model::Call &row = callOf(call);
  function_ = sites_.sites[call.site].caller;
  const model::Unit &unit = code_.unitOf(function_);
  for (uint32_t i = 0; i < row.argumentCount; ++i) {
    Location argument = use(unit.arguments[model::ArgumentId(row.firstArgument.value() + i)].value);
    bind(std::vector<Location>(code_.function(callee).parameterCount, argument), callee);
  }
}

} // namespace deadheat::link
