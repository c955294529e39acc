#include "link/symbols.h"

#include <algorithm>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

namespace deadheat::link {

namespace {

using model::Linkage;
using model::Symbol;
using model::SymbolId;

bool isDefinition(const Symbol &symbol) {
  return symbol.linkage == Linkage::External || symbol.linkage == Linkage::Weak || symbol.linkage == Linkage::Internal;
}

bool isExported(const Symbol &symbol) { return isDefinition(symbol) && symbol.linkage != Linkage::Internal; }

struct Mention {
  UnitId unit;
  SymbolId symbol;
  bool operator==(const Mention &) const = default;
};

// The best definition of a name that one binary has.
struct Candidate {
  uint32_t binary;
  Mention where;
  bool strong;
};

struct Name {
  Mention first;                              // of any kind
  llvm::SmallVector<Candidate, 1> candidates; // by binary, in the loader's order
  Target undefined;                           // once asked for
};

class Resolver {
public:
  Resolver(const std::vector<model::LinkedUnit> &units, const std::vector<uint32_t> &binaryOf,
           const knowledge::Table &table, Gaps &gaps, const std::vector<bool> &plugins)
      : units_(units), binaryOf_(binaryOf), table_(table), gaps_(gaps), plugins_(plugins) {}

  Symbols run() {
    forEachSymbol([&](Mention where, const Symbol &symbol) { note(where, symbol); });
    result_.targets.resize(units_.size());
    result_.bodies.resize(units_.size());
    for (size_t i = 0; i < units_.size(); ++i) {
      result_.targets[i].resize(units_[i].unit.symbols.size());
      result_.bodies[i].resize(units_[i].unit.functions.size());
    }
    forEachSymbol([&](Mention where, const Symbol &symbol) {
      if (chosen(where) == where && !symbol.aliasee.valid() && isDefinition(symbol)) define(where, symbol);
    });
    forEachSymbol([&](Mention where, const Symbol &symbol) { targetOf(where) = resolve(where); });
    forEachSymbol([&](Mention where, const Symbol &symbol) { noteUse(targetOf(where), symbol); });
    return std::move(result_);
  }

private:
  template <typename Visit> void forEachSymbol(Visit visit) {
    for (uint32_t i = 0; i < units_.size(); ++i) {
      const auto &symbols = units_[i].unit.symbols;
      for (uint32_t s = 0; s < symbols.size(); ++s) visit(Mention{UnitId(i), SymbolId(s)}, symbols[SymbolId(s)]);
    }
  }

  const model::Unit &unit(Mention where) const { return units_[where.unit.value()].unit; }
  const Symbol &symbol(Mention where) const { return unit(where).symbols[where.symbol]; }
  std::string_view text(Mention where, model::StringId id) const { return unit(where).strings[id]; }
  Target &targetOf(Mention where) { return result_.targets[where.unit.value()][where.symbol.value()]; }
  uint32_t binary(Mention where) const { return binaryOf_[where.unit.value()]; }
  bool isPlugin(Mention where) const { return binary(where) < plugins_.size() && plugins_[binary(where)]; }
  Name &nameOf(Mention where) { return names_[text(where, symbol(where).name)]; }

  void note(Mention where, const Symbol &symbol) {
    if (symbol.linkage == Linkage::Internal) return;
    Name &name = nameOf(where);
    if (!name.first.unit.valid()) name.first = where;
    if (!isDefinition(symbol)) return;
    bool strong = symbol.linkage == Linkage::External;
    for (Candidate &candidate : name.candidates) {
      if (candidate.binary != binary(where)) continue;
      if (strong && candidate.strong)
        gaps_.add(GapKind::DuplicateDefinition, text(where, symbol.file), symbol.line,
                  std::string(text(where, symbol.name)));
      if (strong && !candidate.strong) candidate = {binary(where), where, true};
      return;
    }
    name.candidates.push_back({binary(where), where, strong});
  }

  // The definition that a use of the symbol in its unit means; itself if it is Internal; its first mention if there is no
  // definition.
  Mention chosen(Mention where) {
    if (symbol(where).linkage == Linkage::Internal) return where;
    const Name &name = nameOf(where);
    if (name.candidates.empty()) return name.first;
    for (const Candidate &candidate : name.candidates)
      if (candidate.binary == binary(where) &&
          (isPlugin(where) || !(symbol(candidate.where).flags & model::kInterposable)))
        return candidate.where;
    return name.candidates.front().where;
  }

  void define(Mention where, const Symbol &symbol) {
    if (symbol.kind == model::SymbolKind::Variable) {
      targetOf(where).variable = addVariable(where, symbol);
      return;
    }
    if (!symbol.function.valid()) return; // a body the extractor left out: as good as declared
    FuncId id = addFunction(where, symbol);
    targetOf(where).function = id;
    result_.bodies[where.unit.value()][symbol.function.value()] = id;
  }

  FuncId addFunction(Mention where, const Symbol &symbol) {
    Function function{.name = text(where, symbol.name),
                      .display = text(where, symbol.display),
                      .signature = text(where, symbol.type),
                      .file = text(where, symbol.file),
                      .line = symbol.line,
                      .unit = where.unit,
                      .body = symbol.function,
                      .visible = isExported(symbol),
                      .lookedUp = isExported(symbol) && isPlugin(where),
                      .known = table_.find(text(where, symbol.name))};
    if (symbol.function.valid()) {
      const model::Function &body = unit(where).functions[symbol.function];
      function.parameterCount = body.parameterCount;
      function.valueCount = body.valueCount;
      function.flags = body.flags;
      function.firstValue = result_.valueCount;
      result_.valueCount += body.valueCount;
    }
    return result_.functions.add(function);
  }

  GlobalId addVariable(Mention where, const Symbol &symbol) {
    return result_.variables.add({.name = text(where, symbol.name),
                                  .display = text(where, symbol.display),
                                  .type = text(where, symbol.type),
                                  .file = text(where, symbol.file),
                                  .line = symbol.line,
                                  .unit = where.unit,
                                  .symbol = where.symbol,
                                  .size = symbol.size,
                                  .flags = symbol.flags,
                                  .defined = isDefinition(symbol),
                                  .lookedUp = isExported(symbol) && isPlugin(where)});
  }

  Target resolve(Mention where) {
    Mention definition = chosen(where);
    for (size_t steps = 0; symbol(definition).aliasee.valid() && steps < kMaxAliases; ++steps)
      definition = chosen({definition.unit, symbol(definition).aliasee});
    Target target = targetOf(definition);
    if (target != Target{}) return target;
    return symbol(definition).linkage == Linkage::Internal ? declare(definition, targetOf(definition))
                                                           : declare(definition, nameOf(definition).undefined);
  }

  Target declare(Mention where, Target &target) {
    if (target == Target{}) {
      const Symbol &mentioned = symbol(where);
      if (mentioned.kind == model::SymbolKind::Variable) {
        target.variable = addVariable(where, mentioned);
      } else {
        Symbol bodiless = mentioned;
        bodiless.function = {};
        target.function = addFunction(where, bodiless);
      }
    }
    return target;
  }

  void noteUse(Target target, const Symbol &symbol) {
    if (target.function.valid() && (symbol.flags & model::kAddressTaken))
      result_.functions[target.function].addressTaken = true;
  }

  static constexpr size_t kMaxAliases = 16; // a chain this long is a cycle

  const std::vector<model::LinkedUnit> &units_;
  const std::vector<uint32_t> &binaryOf_;
  const knowledge::Table &table_;
  Gaps &gaps_;
  const std::vector<bool> &plugins_; // [binary]
  llvm::StringMap<Name> names_;
  Symbols result_;
};

} // namespace

bool replacesBody(const knowledge::Row &row) {
  using enum knowledge::Action;
  static constexpr knowledge::Action kOnlyTell[] = {Root, Blocks, NoReturn, ThreadExit, AssertHeld};
  return std::ranges::find(kOnlyTell, row.action) == std::end(kOnlyTell);
}

Symbols resolveSymbols(const std::vector<model::LinkedUnit> &units, const std::vector<uint32_t> &binaryOf,
                       const knowledge::Table &table, Gaps &gaps, const std::vector<bool> &plugins) {
  return Resolver(units, binaryOf, table, gaps, plugins).run();
}

} // namespace deadheat::link
