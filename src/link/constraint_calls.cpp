#include <algorithm>
#include <utility>

#include "link/points_to_builder.h"

namespace deadheat::link {

namespace {

using knowledge::Action;
using knowledge::Entry;
using knowledge::Row;

struct LibraryEffect {
  std::string_view name;
  int returned = -1; // the argument
  int to = -1, from = -1;
};

struct Exchange {
  std::string_view name;
  int place, value;
};

struct Lookup {
  std::string_view name;
  int place = -1;
};

constexpr LibraryEffect kLibrary[] = {
#define RETURNS(function, argument) {#function, argument, -1, -1},
#define COPIES(function, to, from) {#function, -1, to, from},
#define EXCHANGES(function, place, value)
#define LOOKS_UP(function, place)
#include "link/library.def"
};

constexpr Exchange kExchanges[] = {
#define RETURNS(function, argument)
#define COPIES(function, to, from)
#define EXCHANGES(function, place, value) {#function, place, value},
#define LOOKS_UP(function, place)
#include "link/library.def"
};

constexpr Lookup kLookups[] = {
#define RETURNS(function, argument)
#define COPIES(function, to, from)
#define EXCHANGES(function, place, value)
#define LOOKS_UP(function, place) {#function, place},
#include "link/library.def"
};

// Where va_start leaves the addresses of the arguments (System V, 64 bits).
constexpr int64_t kOverflowArea = 8, kRegisterArea = 16;

// Work items, timers, tasklets.
bool isDeferred(knowledge::Context context) {
  using enum knowledge::Context;
  return context == Work || context == Timer || context == SoftInterrupt;
}

} // namespace

void PointsToBuilder::addCall(model::StatementId id, const model::Statement &statement) {
  model::CallId callId(static_cast<uint32_t>(statement.number));
  const model::Call &call = unit_->calls[callId];
  Called called{sites_.site(state_->unitOf[function_.value()], callId), id, &call, {}, statement.result};
  for (uint32_t i = 0; i < call.argumentCount; ++i)
    called.arguments.push_back(use(unit_->arguments[model::ArgumentId(call.firstArgument.value() + i)].value));
  FuncId callee = code_.directCallee(state_->unitOf[function_.value()], call);
  if (callee.valid()) return addDirect(called, callee);
  if (!(call.flags & model::kAssembly)) addIndirect(called, call);
}

void PointsToBuilder::addDirect(const Called &called, FuncId callee) {
  const Function &function = code_.function(callee);
  if (function.known && replacesBody(*function.known)) {
    addKnown(called, *function.known);
    addLibrary(called, function.name);
    return;
  }
  if (function.external()) return addExternal(called, callee);
  bind(called.arguments, callee);
  addVariadic(called, callee);
  if (const Row *spawn = wrappers_.spawns[callee.value()]) {
    enter(called, *spawn);
    if (spawn->object == knowledge::kResult) return;
  }
  if (wrappers_.allocates[callee.value()]) return addAllocating(called, callee);
  define(called.result, {state_->returned[callee.value()], 0});
}

void PointsToBuilder::addIndirect(const Called &called, const model::Call &call) {
  Unbound unbound{.kind = Unbound::Kind::Call, .site = called.site, .callee = use(call.callee)};
  unbound.arguments = called.arguments;
  if (virtual_.hasTables() && !(call.flags & model::kVirtual))
    if (model::Operand plain = memberPointer(Definitions(code_, function_), call.callee); plain.isValue())
      unbound.plain = use(plain);
  if (call.flags & model::kVirtual || unbound.plain.valid()) unbound.object = called.argument(0);
  if (call.flags & model::kVirtual) unbound.slot = call.slot;
  if (called.result.valid()) {
    unbound.result = graph_.addHub();
    define(called.result, {unbound.result, 0});
  }
  unbound_.push_back(std::move(unbound));
}

void PointsToBuilder::bind(const std::vector<Location> &arguments, FuncId callee) {
  size_t count = std::min<size_t>(arguments.size(), code_.function(callee).parameterCount);
  for (size_t i = 0; i < count; ++i)
    graph_.flow(arguments[i], NodeId(firstParameter_[callee.value()].value() + static_cast<uint32_t>(i)));
}

// The block is one of the call's own, and is what the body fills.
void PointsToBuilder::addAllocating(const Called &called, FuncId callee) {
  if (wrappers_.inner[called.site.value()]) {
    Location mine{fresh_[function_.value()], 0};
    graph_.flow(mine, fresh_[callee.value()]);
    return define(called.result, mine);
  }
  Location block = newObject(ObjectKind::Heap, called);
  graph_.flow(block, fresh_[callee.value()]);
  define(called.result, block);
}

Location PointsToBuilder::newObject(ObjectKind kind, const Called &called) {
  return {graph_.addObject({.kind = kind, .function = function_, .statement = called.statement, .call = called.site}),
          0};
}

void PointsToBuilder::addKnown(const Called &called, const Row &row) {
  struct Effect {
    Action action;
    void (PointsToBuilder::*apply)(const Called &, const Row &);
  };
  static constexpr Effect kEffects[] = {
      {Action::Allocate, &PointsToBuilder::allocate},  {Action::Reallocate, &PointsToBuilder::reallocate},
      {Action::Spawn, &PointsToBuilder::enter},        {Action::AtExit, &PointsToBuilder::enter},
      {Action::AtThreadExit, &PointsToBuilder::enter}, {Action::Handler, &PointsToBuilder::enter},
      {Action::Calls, &PointsToBuilder::enter},        {Action::Once, &PointsToBuilder::enter},
      {Action::Fulfil, &PointsToBuilder::enter},
  };
  for (const Effect &effect : kEffects)
    if (effect.action == row.action) (this->*effect.apply)(called, row);
}

void PointsToBuilder::allocate(const Called &called, const Row &row) {
  bool inner = wrappers_.inner[called.site.value()];
  Location block = inner ? Location{fresh_[function_.value()], 0} : newObject(ObjectKind::Heap, called);
  if (row.object == knowledge::kResult)
    define(called.result, block);
  else if (Location place = called.argument(row.object); place.valid())
    graph_.flow(block, graph_.content(place));
}

// The same block or a new one with the same contents.
void PointsToBuilder::reallocate(const Called &called, const Row &row) {
  NodeId hub = wrappers_.inner[called.site.value()] ? fresh_[function_.value()] : graph_.addHub();
  if (!wrappers_.inner[called.site.value()]) graph_.flow(newObject(ObjectKind::Heap, called), hub);
  graph_.flow(called.argument(row.object == knowledge::kResult ? 0 : row.object), hub);
  define(called.result, {hub, 0});
}

Location PointsToBuilder::entryOf(const Called &called, const Row &row, int argument) {
  switch (row.entryIs) {
  case Entry::Pointer: return called.argument(argument);
  case Entry::Member: return stored(moved(called.argument(argument), row.offset));
  case Entry::Virtual: return stored(moved(stored(stateOf(called, row)), row.offset));
  case Entry::Variable: {
    auto variable = through_.find(row.through);
    return variable == through_.end() ? Location() : stored({state_->variables[variable->second.value()], 0});
  }
  }
  return {};
}

// The object behind a smart pointer on the stack of this function. Helpers of smart pointers are shared by all, and so
// would be what they hold: a value that this very function stores there says more.
Location PointsToBuilder::stateOf(const Called &called, const Row &row) {
  Location slot = called.argument(row.entry);
  if (!slot.valid()) return {};
  model::ArgumentId argument(called.call->firstArgument.value() + row.entry);
  NodeId hub;
  code_.forEachStatement(function_, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
    Location held = storedInto(statement, unit_->arguments[argument].value);
    if (!held.valid()) return;
    if (!hub.valid()) hub = graph_.addHub();
    graph_.flow(held, hub);
  });
  return hub.valid() ? Location{hub, 0} : stored(slot);
}

// What a statement puts into a slot: a store, or a constructor that gets the slot and a pointer.
Location PointsToBuilder::storedInto(const model::Statement &statement, model::Operand slot) {
  if (statement.kind == model::StatementKind::Store && statement.a == slot) return use(statement.b);
  if (statement.kind != model::StatementKind::Call) return {};
  const model::Call &call = unit_->calls[model::CallId(static_cast<uint32_t>(statement.number))];
  auto argument = [&](uint32_t i) { return unit_->arguments[model::ArgumentId(call.firstArgument.value() + i)].value; };
  return call.argumentCount == 2 && argument(0) == slot ? use(argument(1)) : Location();
}

// Somebody calls the entry, with the argument that the row names.
void PointsToBuilder::enter(const Called &called, const Row &row) {
  handle(called, row);
  if (wrappers_.innerSpawn[called.site.value()]) return; // its callers' calls do it, each with its own argument
  Location first = called.argument(row.argument);
  if (row.entryIs == Entry::Member) first = called.argument(row.entry);
  if (row.entryIs == Entry::Virtual) first = stateOf(called, row);
  std::vector<Location> arguments(row.parameter);
  arguments.push_back(first);
  if (row.has(knowledge::kRest))
    for (size_t i = row.argument + 1; i < called.arguments.size(); ++i) arguments.push_back(called.arguments[i]);
  bool passesAny = row.action == Action::Calls && row.entryIs == Entry::Pointer;
  Unbound::Kind kind = passesAny ? Unbound::Kind::Library : Unbound::Kind::Entry;
  bool isSecond = false;
  for (int entry : {int(row.entry), int(row.secondEntry)}) {
    bool isInVariable = row.entryIs == Entry::Variable && !std::exchange(isSecond, true);
    if (entry < 0 && !isInVariable) continue;
    Location callee = entryOf(called, row, entry);
    bool isVirtual = row.entryIs == Entry::Virtual;
    unbound_.push_back({.kind = kind,
                        .site = called.site,
                        .callee = callee,
                        .arguments = arguments,
                        .object = isVirtual ? first : Location(),
                        .slot = row.offset,
                        .handle = row.has(knowledge::kByAddress) ? called.argument(row.object) : Location(),
                        .returnsNothing = isDeferred(row.context)});
  }
}

// A thread's handle is an object of its own, so that a join finds it by the way of all pointers.
void PointsToBuilder::handle(const Called &called, const Row &row) {
  if (row.action != Action::Spawn || row.object == knowledge::kNone) return;
  const bool isCallers = wrappers_.innerSpawn[called.site.value()];
  if (isCallers && wrappers_.spawns[function_.value()]->object != knowledge::kNone) return;
  Location thread = newObject(ObjectKind::Thread, called);
  if (row.object == knowledge::kResult)
    define(called.result, thread);
  else if (Location place = called.argument(row.object); place.valid() && row.has(knowledge::kByAddress))
    graph_.flow(thread, graph_.content(place));
}

void PointsToBuilder::addExternal(const Called &called, FuncId callee) {
  if (addIntrinsic(called, callee)) return;
  const Function &function = code_.function(callee);
  if (!addLookup(called, callee) && !addLibrary(called, function.name) && function.signature.starts_with("ptr"))
    define(called.result, externalObject(callee));
  for (size_t i = 0; i < called.arguments.size(); ++i)
    if (called.arguments[i].valid())
      unbound_.push_back({.kind = Unbound::Kind::Callback, .site = called.site, .callee = called.arguments[i]});
}

// Whether it defines the result: what a plugin exports, or something that is not known.
bool PointsToBuilder::addLookup(const Called &called, FuncId callee) {
  auto lookup = std::ranges::find(kLookups, code_.function(callee).name, &Lookup::name);
  if (lookup == std::end(kLookups)) return false;
  bool returns = lookup->place < 0;
  Location place = returns ? Location{graph_.addHub(), 0} : stored(called.argument(lookup->place));
  if (!place.valid()) return false;
  graph_.flow(externalObject(callee), place.node);
  graph_.flow(exported(), place.node);
  if (returns) define(called.result, place);
  return returns;
}

// All that plugins export.
Location PointsToBuilder::exported() {
  if (exported_.valid()) return {exported_, 0};
  exported_ = graph_.addHub();
  code_.forEachFunction([&](FuncId id) {
    if (code_.function(id).lookedUp) graph_.flow({state_->functions[id.value()], 0}, exported_);
  });
  for (uint32_t i = 0; i < code_.symbols.variables.size(); ++i)
    if (code_.symbols.variables[GlobalId(i)].lookedUp) graph_.flow({state_->variables[i], 0}, exported_);
  return {exported_, 0};
}

// Whether the library's own list says what the call returns.
bool PointsToBuilder::addLibrary(const Called &called, std::string_view name) {
  bool returns = false;
  for (const LibraryEffect &effect : kLibrary) {
    if (effect.name != name) continue;
    if (effect.returned >= 0) define(called.result, called.argument(effect.returned));
    if (effect.to >= 0) transfer(called.argument(effect.to), called.argument(effect.from), -1);
    returns |= effect.returned >= 0;
  }
  const auto exchange = std::ranges::find(kExchanges, name, &Exchange::name);
  if (exchange == std::end(kExchanges) || !called.argument(exchange->place).valid()) return returns;
  const Location content = {graph_.content(called.argument(exchange->place)), 0};
  if (Location value = called.argument(exchange->value); value.valid()) graph_.flow(value, content.node);
  define(called.result, content);
  return true;
}

// Whatever it returns, two calls may return the same.
Location PointsToBuilder::externalObject(FuncId callee) {
  auto [at, fresh] = external_.try_emplace(callee.value(), 0);
  if (fresh) at->second = graph_.addObject({.kind = ObjectKind::External, .function = callee}).value();
  return {NodeId(at->second), 0};
}

bool PointsToBuilder::addIntrinsic(const Called &called, FuncId callee) {
  std::string_view name = code_.function(callee).name;
  if (!name.starts_with("llvm.")) return false;
  if (name.starts_with("llvm.va_copy")) transfer(called.argument(0), called.argument(1), kRegisterArea + 8);
  if (name.starts_with("llvm.va_start") && called.argument(0).valid()) {
    NodeId &rest = variadic_[function_.value()];
    if (!rest.valid()) rest = graph_.addObject({.kind = ObjectKind::Stack, .function = function_}, 8);
    for (int64_t area : {kOverflowArea, kRegisterArea})
      graph_.flow({rest, 0}, graph_.content(moved(called.argument(0), area)));
  }
  return true;
}

void PointsToBuilder::addVariadic(const Called &called, FuncId callee) {
  const Function &function = code_.function(callee);
  if (!(function.flags & model::kVariadic)) return;
  NodeId &rest = variadic_[callee.value()];
  if (!rest.valid()) rest = graph_.addObject({.kind = ObjectKind::Stack, .function = callee}, 8);
  for (size_t i = function.parameterCount; i < called.arguments.size(); ++i)
    if (called.arguments[i].valid()) graph_.flow(called.arguments[i], graph_.content({rest, 0}));
}

} // namespace deadheat::link
