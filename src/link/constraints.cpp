#include "oneapi/tbb/parallel_invoke.h"

#include "link/crowds.h"
#include "link/points_to_builder.h"

namespace deadheat::link {

namespace {

using model::Operand;
using model::Statement;
using model::StatementKind;

constexpr uint32_t kPointerBytes = 8;
constexpr int64_t kLongestCopy = 256; // bytes of a copy that are followed one pointer at a time
constexpr int64_t kUnknownCopy = 64;  // of a copy whose length is not known: the first element of an array, most likely

constexpr NodeId kNumber(UINT32_MAX - 1); // of a value: it is set, and is no pointer
constexpr Location kNoPointer{kNumber, 0};

bool isUnset(Location location) { return !location.node.valid(); }

} // namespace

PointsToBuilder::PointsToBuilder(const Code &code, const CallGraph &sites, const Wrappers &wrappers)
    : code_(code), sites_(sites), wrappers_(wrappers), arrays_(code.symbols), virtual_(code), pointers_(code, virtual_),
      fields_(code, sites, wrappers, arrays_), state_(std::make_unique<PointsTo::State>()), graph_(state_->graph),
      reaching_(graph_) {}

void PointsToBuilder::run() {
  addNodes();
  addInitialisers();
  code_.forEachFunction([&](FuncId id) { addFunction(id); });
  bindUntilStable();
}

void PointsToBuilder::addNodes() {
  state_->values.resize(code_.symbols.valueCount);
  addVariables();
  addFunctionNodes();
  state_->symbols.resize(code_.units.size());
  for (size_t u = 0; u < code_.units.size(); ++u)
    for (const Target &target : code_.symbols.targets[u])
      state_->symbols[u].push_back(target.function.valid() ? state_->functions[target.function.value()]
                                                           : state_->variables[target.variable.value()]);
}

// Elements are taken for one another if an index is applied, or a pointer walks, or there are so many pointers that the whole would be
// folded into one cell. Else each keeps its place: `pthread_t pair[2]`.
std::vector<uint32_t> PointsToBuilder::findArrays() const {
  std::vector<uint32_t> pointers(code_.symbols.variables.size(), 0), strides(pointers.size(), 0);
  for (uint32_t u = 0; u < code_.units.size(); ++u) {
    auto note = [&](model::SymbolId symbol, uint32_t count) {
      if (GlobalId id = code_.symbols.target(UnitId(u), symbol).variable; id.valid()) pointers[id.value()] += count;
    };
    for (const model::Initialiser &row : code_.units[u].unit.initialisers) note(row.variable, 1);
    for (const Statement &row : code_.units[u].unit.statements)
      if ((row.kind == StatementKind::Index || row.kind == StatementKind::Phi) && row.a.isSymbol())
        note(row.a.symbol(), FlowGraph::kMaxFields + 1);
  }
  for (uint32_t i = 0; i < pointers.size(); ++i)
    if (pointers[i] > FlowGraph::kMaxFields) strides[i] = arrays_.elementOf(code_.symbols.variables[GlobalId(i)]).size;
  return strides;
}

void PointsToBuilder::addVariables() {
  std::vector<uint32_t> strides = findArrays();
  for (uint32_t i = 0; i < code_.symbols.variables.size(); ++i) {
    const Variable &variable = code_.symbols.variables[GlobalId(i)];
    Object object{.kind = ObjectKind::Variable, .variable = GlobalId(i), .size = variable.size};
    state_->variables.push_back(graph_.addObject(object, strides[i]));
    if (variable.flags & model::kThreadLocal) through_.try_emplace(variable.name, GlobalId(i));
  }
}

void PointsToBuilder::addFunctionNodes() {
  size_t count = code_.symbols.functions.size();
  state_->returned.resize(count);
  firstParameter_.resize(count);
  fresh_.resize(count);
  variadic_.resize(count);
  code_.forEachFunction([&](FuncId id) {
    const Function &function = code_.function(id);
    state_->functions.push_back(graph_.addObject({.kind = ObjectKind::Function, .function = id}));
    state_->firstValue.push_back(function.firstValue);
    state_->unitOf.push_back(function.unit);
    if (function.external()) return;
    state_->returned[id.value()] = graph_.addHub();
    for (uint32_t p = 0; p < function.parameterCount; ++p) {
      NodeId hub = graph_.addHub();
      if (p == 0) firstParameter_[id.value()] = hub;
      state_->values[function.firstValue + p] = {hub, 0};
    }
    if (wrappers_.allocates[id.value()]) fresh_[id.value()] = graph_.addHub();
  });
}

void PointsToBuilder::addInitialisers() {
  for (uint32_t u = 0; u < code_.units.size(); ++u)
    for (const model::Initialiser &row : code_.units[u].unit.initialisers) {
      GlobalId variable = code_.symbols.target(UnitId(u), row.variable).variable;
      if (!variable.valid()) continue;
      const Variable &chosen = code_.symbols.variables[variable];
      if (chosen.unit != UnitId(u) || chosen.symbol != row.variable) continue; // a duplicate that was not chosen
      Location place = moved({state_->variables[variable.value()], 0}, static_cast<int64_t>(row.offset));
      Location target = moved({state_->symbols[u][row.target.value()], 0}, row.addend);
      graph_.flow(target, graph_.content(place));
      if (row.back > 0) graph_.flow(target, graph_.content(moved(place, -static_cast<int64_t>(row.back))));
    }
}

void PointsToBuilder::addFunction(FuncId id) {
  const Function &function = code_.function(id);
  if (function.external()) return;
  function_ = id;
  unit_ = &code_.unitOf(id);
  if (fresh_[id.value()].valid() && (function.addressTaken || function.visible))
    graph_.flow({graph_.addObject({.kind = ObjectKind::Heap, .function = id}), 0}, fresh_[id.value()]);
  findIndexed(id);
  code_.forEachStatement(
      id, [&](model::BlockId, model::StatementId at, const Statement &statement) { addStatement(at, statement); });
}

// Steps of the indices that are applied to a value as it is: what tells a stack object that is an array as a whole.
void PointsToBuilder::findIndexed(FuncId id) {
  indexed_.clear();
  code_.forEachStatement(id, [&](model::BlockId, model::StatementId, const Statement &statement) {
    if (statement.kind == StatementKind::Index && statement.a.isValue() && statement.number > 0)
      indexed_.try_emplace(statement.a.value().value(), statement.number);
  });
}

uint32_t PointsToBuilder::strideOf(const Statement &stack) const {
  auto found = indexed_.find(stack.result.value());
  if (found == indexed_.end() || stack.number < 2 * found->second || stack.number % found->second != 0) return 0;
  return static_cast<uint32_t>(found->second);
}

void PointsToBuilder::addStatement(model::StatementId id, const Statement &statement) {
  switch (statement.kind) {
  case StatementKind::Stack: {
    Object object{.kind = ObjectKind::Stack,
                  .function = function_,
                  .statement = id,
                  .size = statement.number > 0 ? static_cast<uint64_t>(statement.number) : 0};
    return define(statement.result, {graph_.addObject(object, strideOf(statement)), 0});
  }
  case StatementKind::Copy:
  case StatementKind::Index: return define(statement.result, use(statement.a));
  case StatementKind::Field: return define(statement.result, moved(use(statement.a), statement.number));
  case StatementKind::Choose: flowInto(statement.result, use(statement.b)); [[fallthrough]];
  case StatementKind::Phi: return flowInto(statement.result, use(statement.a));
  case StatementKind::Compute: return compute(statement);
  case StatementKind::Load:
  case StatementKind::Store:
  case StatementKind::AtomicLoad:
  case StatementKind::AtomicStore:
  case StatementKind::AtomicUpdate: return access(statement);
  case StatementKind::Transfer: return transfer(use(statement.a), use(statement.b), statement.number);
  case StatementKind::Call: return addCall(id, statement);
  case StatementKind::Return: return graph_.flow(use(statement.a), state_->returned[function_.value()]);
  case StatementKind::Compare: return define(statement.result, kNoPointer);
  case StatementKind::Fill:
  case StatementKind::Fence:
  case StatementKind::Branch:
  case StatementKind::Switch:
  case StatementKind::Jump:
  case StatementKind::Stop: return;
  }
}

bool PointsToBuilder::mayBePointer(const Statement &statement) const {
  if (!statement.site.valid()) return true;
  uint32_t size = unit_->sites[statement.site].size;
  return size == 0 || size >= kPointerBytes;
}

void PointsToBuilder::access(const Statement &statement) {
  Location place = use(statement.a);
  if (!mayBePointer(statement) || isUnset(place)) return define(statement.result, kNoPointer);
  bool reads = statement.result.valid();
  bool writes = statement.kind != StatementKind::Load && statement.kind != StatementKind::AtomicLoad;
  Location value = writes ? use(statement.b) : Location();
  if (!reads && isUnset(value)) return; // a number is stored
  NodeId hub = graph_.content(place);
  if (reads) define(statement.result, {hub, 0});
  graph_.flow(value, hub);
  if (!value.valid() || !graph_.isObject(value.node)) return;
  const Object &object = graph_.objects()[graph_.objectOf(value.node)];
  if (object.kind == ObjectKind::Variable && virtual_.isTable(object.variable))
    tableStores_.push_back({place, object.variable, value.offset});
}

void PointsToBuilder::transfer(Location to, Location from, int64_t bytes) {
  if (!to.valid() || !from.valid() || to == from) return;
  int64_t end = bytes < 0 ? kUnknownCopy : std::min(bytes, kLongestCopy);
  for (int64_t offset = 0; offset + kPointerBytes <= end; offset += kPointerBytes)
    graph_.unify(graph_.content(moved(to, offset)), graph_.content(moved(from, offset)));
}

// Masks and tags keep the place; sums of two pointers are hashes or distances. Which operand is the pointer, if any, is
// known only when objects have flowed: see bindComputed.
void PointsToBuilder::compute(const Statement &statement) {
  Location a = use(statement.a), b = use(statement.b);
  if (isUnset(a) && isUnset(b)) return define(statement.result, kNoPointer);
  NodeId hub = graph_.addHub();
  define(statement.result, {hub, 0});
  computed_.push_back({hub, a, b});
}

Location PointsToBuilder::stored(Location location) {
  return location.valid() ? Location{graph_.content(location), 0} : Location();
}

// Invalid for numbers. A value that is used before its statement comes (around a loop) gets a hub, which the statement
// then flows into.
Location PointsToBuilder::use(Operand operand) {
  if (operand.isSymbol())
    return {state_->symbols[state_->unitOf[function_.value()].value()][operand.symbol().value()], 0};
  if (!operand.isValue()) return {};
  Location &location = state_->values[state_->firstValue[function_.value()] + operand.value().value()];
  if (isUnset(location)) location = {graph_.addHub(), 0};
  return location == kNoPointer ? Location() : location;
}

void PointsToBuilder::define(model::ValueId value, Location location) {
  if (!value.valid()) return;
  Location &known = state_->values[state_->firstValue[function_.value()] + value.value()];
  if (isUnset(known))
    known = location.valid() ? location : kNoPointer;
  else if (location != kNoPointer)
    graph_.flow(location, known.node);
}

void PointsToBuilder::flowInto(model::ValueId value, Location location) {
  if (!value.valid()) return;                // nobody uses the result
  Location hub = use(Operand::value(value)); // SSA: nothing else defines it
  graph_.flow(location, hub.node);
}

Location PointsToBuilder::moved(Location location, int64_t bytes) const {
  if (!location.valid() || location.offset == kAnyOffset) return location;
  int64_t sum = location.offset + bytes;
  bool far = sum > INT32_MAX / 2 || sum < INT32_MIN / 2;
  return {location.node, far ? kAnyOffset : static_cast<int32_t>(sum)};
}

PointsTo PointsToBuilder::finish() {
  graph_.solve();
  graph_.shortenAll();
  for (Location &location : state_->values)
    if (location == kNoPointer) location = {};
  auto findClasses = [&] {
    state_->classSize.assign(graph_.classes(state_->classOf), 0);
    for (uint32_t i = 0; i < graph_.objects().size(); ++i)
      ++state_->classSize[state_->classOf[graph_.nodeOf(ObjectId(i)).value()]];
  };
  auto findSingle = [&] { state_->single = SinglePlaces(graph_); };
  oneapi::tbb::parallel_invoke(findSingle, [&] { state_->crowded = findCrowds(graph_); }, findClasses);
  PointsTo result;
  result.state_ = std::move(state_);
  return result;
}

} // namespace deadheat::link
