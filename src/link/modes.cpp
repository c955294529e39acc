#include "link/modes.h"

#include <algorithm>

#include "link/definitions.h"

namespace deadheat::link {

using model::Operand;
using model::Predicate;
using model::Statement;
using model::StatementKind;

namespace {

constexpr uint32_t kUnknown = 0, kHolds = 1, kFails = 2;

// Part of a variable, named in the function.
struct NamedPart {
  GlobalId variable;
  int64_t offset = 0;
  auto operator<=>(const NamedPart &) const = default;
};

std::optional<NamedPart> placeOf(const Code &code, FuncId function, const Definitions &definitions, Operand operand) {
  constexpr int kMaxSteps = 8;
  int64_t offset = 0;
  for (int steps = 0; steps < kMaxSteps; ++steps) {
    operand = definitions.strip(operand);
    if (operand.isSymbol()) {
      GlobalId variable = code.symbols.target(code.function(function).unit, operand.symbol()).variable;
      return variable.valid() ? std::optional(NamedPart{variable, offset}) : std::nullopt;
    }
    const Statement *made = operand.isValue() ? definitions.of(operand.value()) : nullptr;
    if (!made || made->kind != StatementKind::Field) return std::nullopt;
    offset += made->number;
    operand = made->a;
  }
  return std::nullopt;
}

const Statement *lastOf(const model::Unit &unit, const model::Block &block) {
  if (block.statementCount == 0) return nullptr;
  return &unit.statements[model::StatementId(block.firstStatement.value() + block.statementCount - 1)];
}

// What a branch compares with a number; null: it does not.
const Statement *numberTest(const model::Unit &unit, const model::Block &block) {
  const Statement *last = lastOf(unit, block);
  if (!last || last->kind != StatementKind::Branch || block.edgeCount != 2) return nullptr;
  return last->a.isValue() && last->b.isNumber() ? last : nullptr;
}

// A plain load of a named variable in the block.
std::optional<NamedPart> loadedAt(const Code &code, FuncId function, const Definitions &definitions,
                                  const model::Block &block, Operand tested) {
  Operand value = definitions.strip(tested);
  const Statement *made = value.isValue() ? definitions.of(value.value()) : nullptr;
  if (!made || made->kind != StatementKind::Load) return std::nullopt;
  const uint32_t at = definitions.statementOf(value.value()).value(), first = block.firstStatement.value();
  if (at < first || at >= first + block.statementCount) return std::nullopt;
  return placeOf(code, function, definitions, made->a);
}

// Who writes which of the wanted variables, and whose address goes elsewhere.
class Uses {
public:
  Uses(const Code &code, std::set<GlobalId> wanted) : code_(code), wanted_(std::move(wanted)) {
    code_.forEachFunction([&](FuncId id) { look(id); });
    for (uint32_t u = 0; u < code_.units.size(); ++u)
      for (const model::Initialiser &row : code_.unit(UnitId(u)).initialisers)
        if (GlobalId to = code_.symbols.target(UnitId(u), row.target).variable; to.valid()) wanted_.erase(to);
  }

  const std::set<GlobalId> &kept() const { return wanted_; }
  const std::set<FuncId> &writers(GlobalId variable) { return writers_[variable]; }

private:
  void look(FuncId id) {
    if (code_.function(id).external()) return;
    const model::Unit &unit = code_.unitOf(id);
    std::map<model::ValueId, GlobalId> addresses;
    auto wantedOf = [&](Operand operand) {
      GlobalId found;
      if (operand.isSymbol()) found = code_.symbols.target(code_.function(id).unit, operand.symbol()).variable;
      if (operand.isValue())
        if (auto known = addresses.find(operand.value()); known != addresses.end()) found = known->second;
      return found.valid() && wanted_.contains(found) ? found : GlobalId();
    };
    code_.forEachStatement(id, [&](model::BlockId, model::StatementId, const Statement &row) {
      if (row.kind == StatementKind::Call) return escapeInto(unit, row, wantedOf);
      if (GlobalId a = wantedOf(row.a); a.valid()) use(id, row, a, addresses);
      if (GlobalId b = wantedOf(row.b); b.valid() && !isHarmless(row)) wanted_.erase(b);
    });
  }

  static bool isHarmless(const Statement &row) {
    return row.kind == StatementKind::Transfer || row.kind == StatementKind::Compare ||
           row.kind == StatementKind::Branch;
  }

  template <typename WantedOf>
  void escapeInto(const model::Unit &unit, const Statement &row, const WantedOf &wantedOf) {
    const model::Call &call = unit.calls[model::CallId(static_cast<uint32_t>(row.number))];
    for (uint32_t i = 0; i < call.argumentCount; ++i)
      if (GlobalId given = wantedOf(argumentOf(unit, call, static_cast<int>(i))); given.valid()) wanted_.erase(given);
  }

  void use(FuncId id, const Statement &row, GlobalId variable, std::map<model::ValueId, GlobalId> &addresses) {
    switch (row.kind) {
    case StatementKind::Load:
    case StatementKind::AtomicLoad:
    case StatementKind::Compare:
    case StatementKind::Branch: return;
    case StatementKind::Store:
    case StatementKind::AtomicStore:
    case StatementKind::AtomicUpdate:
    case StatementKind::Transfer:
    case StatementKind::Fill: writers_[variable].insert(id); return;
    case StatementKind::Copy:
    case StatementKind::Field:
    case StatementKind::Index:
      if (row.result.valid()) addresses[row.result] = variable;
      return;
    default: wanted_.erase(variable);
    }
  }

  const Code &code_;
  std::set<GlobalId> wanted_;
  std::map<GlobalId, std::set<FuncId>> writers_;
};

// These, and whoever calls them.
template <typename Range> std::vector<bool> callersOf(const Code &code, const CallGraph &calls, const Range &called) {
  std::vector<bool> found(code.symbols.functions.size());
  std::vector<FuncId> pending(called.begin(), called.end());
  for (FuncId id : called) found[id.value()] = true;
  while (!pending.empty()) {
    FuncId id = pending.back();
    pending.pop_back();
    for (CallSiteId site : calls.callers[id]) {
      FuncId caller = calls.sites[site].caller;
      if (!caller.valid() || found[caller.value()]) continue;
      found[caller.value()] = true;
      pending.push_back(caller);
    }
  }
  return found;
}

// Variables that the function tests twice.
void addTested(const Code &code, FuncId id, std::set<GlobalId> &found) {
  if (code.function(id).external()) return;
  const model::Unit &unit = code.unitOf(id);
  const model::Function &body = code.bodyOf(id);
  Definitions definitions(code, id);
  std::set<NamedPart> once;
  for (uint32_t b = 0; b < body.blockCount; ++b) {
    const model::Block &block = unit.blocks[model::BlockId(body.firstBlock.value() + b)];
    const Statement *test = numberTest(unit, block);
    std::optional<NamedPart> place = test ? loadedAt(code, id, definitions, block, test->a) : std::nullopt;
    if (place && !once.insert(*place).second) found.insert(place->variable);
  }
}

} // namespace

ModeVariables::ModeVariables(const Code &code, const CallGraph &calls, const Threads &threads,
                             const ThreadEvents &events) {
  std::set<FuncId> starting;
  for (const auto &[site, event] : events.calls)
    if (FuncId caller = calls.sites[site].caller; caller.valid() && !event.starts.empty()) starting.insert(caller);
  std::vector<bool> leading = callersOf(code, calls, starting);
  std::set<GlobalId> tested;
  code.forEachFunction([&](FuncId id) {
    if (leading[id.value()] && threads.isMains(id)) addTested(code, id, tested);
  });
  if (tested.empty()) return;
  Uses uses(code, std::move(tested));
  for (GlobalId variable : uses.kept())
    if (std::ranges::all_of(uses.writers(variable), [&](FuncId id) { return threads.isMains(id); }))
      changers_[variable] = callersOf(code, calls, uses.writers(variable));
}

// A function's tests, by what they ask about.
struct Modes::Finder {
  Finder(const Code &owner, const CallGraph &graph, FuncId wanted, const ModeVariables *known)
      : code(owner), calls(graph), function(wanted), variables(known) {}

  const Code &code;
  const CallGraph &calls;
  FuncId function;
  const ModeVariables *variables;
  const model::Unit &unit = code.unitOf(function);
  const model::Function &body = code.bodyOf(function);
  Definitions definitions{code, function};
  std::map<Operand, uint32_t, bool (*)(const Operand &, const Operand &)> values{
      [](const Operand &a, const Operand &b) { return a.index < b.index; }};
  std::map<NamedPart, uint32_t> places;
  uint32_t sources = 0;

  const model::Block &block(uint32_t b) const { return unit.blocks[model::BlockId(body.firstBlock.value() + b)]; }
  uint32_t target(uint32_t b, uint32_t e) const {
    return unit.edges[model::EdgeId(block(b).firstEdge.value() + e)].target;
  }

  std::optional<Test> testAt(uint32_t b) {
    const Statement *last = numberTest(unit, block(b));
    if (!last || static_cast<Predicate>(last->number) == Predicate::Unknown) return std::nullopt;
    Test test;
    int64_t number = last->b.index;
    switch (static_cast<Predicate>(last->number)) {
    case Predicate::Equal: test = {{0, true, number}, true}; break;
    case Predicate::NotEqual: test = {{0, true, number}, false}; break;
    case Predicate::Less: test = {{0, false, number}, true}; break;
    case Predicate::GreaterOrEqual: test = {{0, false, number}, false}; break;
    case Predicate::LessOrEqual: test = {{0, false, number + 1}, true}; break;
    case Predicate::Greater: test = {{0, false, number + 1}, false}; break;
    case Predicate::Unknown: return std::nullopt;
    }
    test.claim.source = sourceOf(b, last->a);
    return test;
  }

  uint32_t sourceOf(uint32_t b, Operand tested) {
    auto place = variables ? loadedAt(code, function, definitions, block(b), tested) : std::nullopt;
    if (place && variables->contains(place->variable) && !isChangedSince(b, tested, place->variable)) {
      auto [known, isNew] = places.try_emplace(*place, sources);
      if (isNew) ++sources;
      return known->second;
    }
    auto [known, isNew] = values.try_emplace(definitions.strip(tested), sources);
    if (isNew) ++sources;
    return known->second;
  }

  bool isChangedSince(uint32_t b, Operand tested, GlobalId variable) const {
    const uint32_t loaded = definitions.statementOf(definitions.strip(tested).value()).value();
    const uint32_t end = block(b).firstStatement.value() + block(b).statementCount;
    for (uint32_t s = loaded + 1; s < end; ++s)
      if (isChange(unit.statements[model::StatementId(s)], variable)) return true;
    return false;
  }

  bool isChange(const Statement &row, GlobalId variable) const {
    if (row.kind == StatementKind::Call) {
      CallSiteId site = calls.site(code.function(function).unit, model::CallId(static_cast<uint32_t>(row.number)));
      return std::ranges::any_of(calls.callees[site],
                                 [&](FuncId callee) { return variables->mayChange(callee, variable); });
    }
    const bool writes = row.kind == StatementKind::Store || row.kind == StatementKind::AtomicStore ||
                        row.kind == StatementKind::AtomicUpdate || row.kind == StatementKind::Transfer ||
                        row.kind == StatementKind::Fill;
    if (!writes) return false;
    std::optional<NamedPart> place = placeOf(code, function, definitions, row.a);
    return !place ? isElementOf(row.a, variable) : place->variable == variable;
  }

  // `modes[i]`
  bool isElementOf(Operand address, GlobalId variable) const {
    for (int steps = 0; steps < 8; ++steps) {
      address = definitions.strip(address);
      if (address.isSymbol())
        return code.symbols.target(code.function(function).unit, address.symbol()).variable == variable;
      const Statement *made = address.isValue() ? definitions.of(address.value()) : nullptr;
      if (!made || (made->kind != StatementKind::Field && made->kind != StatementKind::Index)) return false;
      address = made->a;
    }
    return true;
  }

  // Where each source may get another value.
  std::map<uint32_t, std::set<uint32_t>> renewals() const {
    std::map<uint32_t, std::set<uint32_t>> found;
    for (const auto &[value, source] : values) {
      model::StatementId made = value.isValue() ? definitions.statementOf(value.value()) : model::StatementId();
      if (made.valid()) found[code.blockOf(function, made)].insert(source);
    }
    code.forEachStatement(function, [&](model::BlockId b, model::StatementId, const Statement &row) {
      for (const auto &[place, source] : places)
        if (isChange(row, place.variable)) found[b.value() - body.firstBlock.value()].insert(source);
    });
    return found;
  }

  std::vector<bool> reachedFrom(uint32_t start, uint32_t without) const {
    std::vector<bool> reached(body.blockCount);
    std::vector<uint32_t> pending;
    auto enter = [&](uint32_t b) {
      if (b == without || reached[b]) return;
      reached[b] = true;
      pending.push_back(b);
    };
    enter(start);
    while (!pending.empty()) {
      uint32_t b = pending.back();
      pending.pop_back();
      for (uint32_t e = 0; e < block(b).edgeCount; ++e) enter(target(b, e));
    }
    return reached;
  }

  std::vector<bool> blocksWith(const std::function<bool(model::StatementId)> &isWanted) const {
    std::vector<bool> found(body.blockCount);
    code.forEachStatement(function, [&](model::BlockId b, model::StatementId at, const Statement &) {
      if (isWanted(at)) found[b.value() - body.firstBlock.value()] = true;
    });
    return found;
  }

  // Something changes on the one side alone, until the test comes again.
  bool decidesAbout(uint32_t b, const std::vector<bool> &isChangeIn) const {
    std::vector<bool> yes = reachedFrom(target(b, 0), b), no = reachedFrom(target(b, 1), b);
    for (uint32_t other = 0; other < body.blockCount; ++other)
      if (isChangeIn[other] && yes[other] != no[other]) return true;
    return false;
  }
};

Modes::Modes(const Code &code, const CallGraph &calls, FuncId function,
             const std::function<bool(model::StatementId)> &isChange, const ModeVariables *variables) {
  Finder finder(code, calls, function, variables);
  std::map<uint32_t, uint32_t> counts; // by source
  for (uint32_t b = 0; b < finder.body.blockCount; ++b)
    if (std::optional<Test> test = finder.testAt(b)) {
      tests_.emplace(b, *test);
      ++counts[test->claim.source];
    }
  std::erase_if(tests_, [&](const auto &row) { return counts[row.second.claim.source] < 2; });
  if (tests_.empty()) return;
  const std::vector<bool> isChangeIn = finder.blocksWith(isChange);
  for (const auto &[b, test] : tests_) {
    if (modes_.size() == kMaxModes) break;
    if (std::ranges::find(modes_, test.claim) == modes_.end() && finder.decidesAbout(b, isChangeIn))
      modes_.push_back(test.claim);
  }
  for (size_t i = 0; i < modes_.size(); ++i) states_ *= 3;
  if (!modes_.empty()) renews_ = finder.renewals();
}

uint32_t Modes::digit(uint32_t state, uint32_t mode) {
  while (mode-- > 0) state /= 3;
  return state % 3;
}

uint32_t Modes::with(uint32_t state, uint32_t mode, uint32_t wanted) {
  uint32_t weight = 1;
  for (uint32_t i = 0; i < mode; ++i) weight *= 3;
  return state - digit(state, mode) * weight + wanted * weight;
}

std::optional<bool> Modes::decides(const Claim &known, bool holds, const Claim &asked) {
  if (known.source != asked.source) return std::nullopt;
  const int64_t is = known.number, other = asked.number;
  if (known.isEqual && holds) return asked.isEqual ? is == other : is < other;
  if (known.isEqual) return asked.isEqual && is == other ? std::optional(false) : std::nullopt;
  if (holds && other >= is) return !asked.isEqual; // it is less than this, too, or not that
  if (!holds && (asked.isEqual ? other < is : other <= is)) return false;
  return std::nullopt;
}

std::optional<uint32_t> Modes::along(uint32_t state, uint32_t block, uint32_t edge) const {
  auto renewed = renews_.find(block);
  if (renewed != renews_.end())
    for (uint32_t m = 0; m < modes_.size(); ++m)
      if (renewed->second.contains(modes_[m].source)) state = with(state, m, kUnknown);
  auto test = tests_.find(block);
  if (test == tests_.end() || edge > 1) return state;
  const bool holds = (edge == 0) == test->second.onFirstEdge;
  for (uint32_t m = 0; m < modes_.size(); ++m) {
    const uint32_t said = digit(state, m);
    if (said == kUnknown) continue;
    std::optional<bool> answer = decides(modes_[m], said == kHolds, test->second.claim);
    if (answer && *answer != holds) return std::nullopt;
  }
  for (uint32_t m = 0; m < modes_.size(); ++m)
    if (modes_[m] == test->second.claim) state = with(state, m, holds ? kHolds : kFails);
  return state;
}

} // namespace deadheat::link
