#include "link/known_pointers.h"

#include <map>
#include <optional>

#include "link/definitions.h"
#include "link/field_names.h"

namespace deadheat::link {

namespace {

using model::Operand;
using model::Statement;
using model::StatementKind;

using Place = std::pair<GlobalId, int64_t>; // bytes into a variable

class Adopter {
public:
  Adopter(std::vector<model::LinkedUnit> &units, Symbols &symbols)
      : units_(units), symbols_(symbols), code_{units, symbols} {}

  void run() {
    addInitialisers();
    if (!hasKnown_ && !storesKnown()) return;
    code_.forEachFunction([&](FuncId id) { addStores(id); });
    code_.forEachFunction([&](FuncId id) { nameCallees(id); });
  }

private:
  bool isKnown(FuncId id) const {
    const Function &function = code_.function(id);
    return function.external() && function.known && replacesBody(*function.known);
  }

  FuncId functionOf(UnitId unit, Operand operand) const {
    return operand.isSymbol() ? symbols_.target(unit, operand.symbol()).function : FuncId();
  }

  void add(Place place, FuncId function) {
    if (!function.valid()) return;
    hasKnown_ = hasKnown_ || isKnown(function);
    auto [held, isFirst] = held_.try_emplace(place, function);
    if (!isFirst && held->second != function) held->second = FuncId();
  }

  void addInitialisers() {
    for (uint32_t u = 0; u < units_.size(); ++u)
      for (const model::Initialiser &row : units_[u].unit.initialisers) {
        const GlobalId variable = symbols_.target(UnitId(u), row.variable).variable;
        if (variable.valid() && symbols_.variables[variable].unit == UnitId(u))
          add({variable, static_cast<int64_t>(row.offset)}, symbols_.target(UnitId(u), row.target).function);
      }
  }

  bool storesKnown() const {
    bool found = false;
    code_.forEachFunction([&](FuncId id) {
      code_.forEachStatement(id, [&](model::BlockId, model::StatementId, const Statement &statement) {
        if (found || statement.kind != StatementKind::Store) return;
        const FuncId function = functionOf(code_.function(id).unit, statement.b);
        found = function.valid() && isKnown(function);
      });
    });
    return found;
  }

  // The variable, and the bytes into it; none: it is behind a pointer, or one of several elements.
  std::optional<Place> placeOf(FuncId id, const Definitions &definitions, Operand address) const {
    const Origin origin = originOf(definitions, address);
    if (!origin.base.isSymbol() || origin.indexed) return std::nullopt;
    const GlobalId variable = symbols_.target(code_.function(id).unit, origin.base.symbol()).variable;
    return variable.valid() ? std::optional(Place{variable, origin.offset}) : std::nullopt;
  }

  void addStores(FuncId id) {
    if (code_.function(id).external()) return;
    const Definitions definitions(code_, id);
    code_.forEachStatement(id, [&](model::BlockId, model::StatementId, const Statement &statement) {
      if (statement.kind != StatementKind::Store) return;
      const std::optional<Place> place = placeOf(id, definitions, statement.a);
      if (!place) return;
      const Operand what = definitions.strip(statement.b);
      auto addOne = [&](Operand one) { add(*place, functionOf(code_.function(id).unit, definitions.strip(one))); };
      addOne(what);
      if (what.isValue()) definitions.forEachSource(what.value(), addOne); // `given ? given : malloc`
    });
  }

  void nameCallees(FuncId id) {
    if (code_.function(id).external()) return;
    const UnitId unit = code_.function(id).unit;
    const Definitions definitions(code_, id);
    code_.forEachStatement(id, [&](model::BlockId, model::StatementId, const Statement &statement) {
      if (statement.kind != StatementKind::Call) return;
      model::Call &call = units_[unit.value()].unit.calls[model::CallId(static_cast<uint32_t>(statement.number))];
      const Operand callee = definitions.strip(call.callee);
      const Statement *read = callee.isValue() ? definitions.of(callee.value()) : nullptr;
      if (!read || read->kind != StatementKind::Load || (call.flags & model::kVirtual) != 0) return;
      const std::optional<Place> place = placeOf(id, definitions, read->a);
      const auto held = place ? held_.find(*place) : held_.end();
      if (held != held_.end() && held->second.valid() && isKnown(held->second))
        call.callee = Operand::symbol(symbolOf(unit, held->second));
    });
  }

  model::SymbolId symbolOf(UnitId unit, FuncId function) {
    std::vector<Target> &targets = symbols_.targets[unit.value()];
    for (uint32_t i = 0; i < targets.size(); ++i)
      if (targets[i].function == function) return model::SymbolId(i);
    targets.push_back({.function = function, .variable = {}});
    const model::StringId none(0);
    return units_[unit.value()].unit.symbols.add({.name = none, .display = none, .type = none, .file = none});
  }

  std::vector<model::LinkedUnit> &units_;
  Symbols &symbols_;
  const Code code_;
  bool hasKnown_ = false;
  std::map<Place, FuncId> held_; // invalid: several
};

} // namespace

void adoptKnownPointers(std::vector<model::LinkedUnit> &units, Symbols &symbols) { Adopter(units, symbols).run(); }

} // namespace deadheat::link
