#include "model/counting.h"

#include <algorithm>

#include "model/late_sites.h"

namespace deadheat::model {
namespace {

constexpr int kMaxSteps = 16; // of a value from statement to statement

bool isPlace(StatementKind kind) {
  return kind == StatementKind::Field || kind == StatementKind::Index || kind == StatementKind::Copy;
}

// Whoever gets an address that stands in such a statement may read by it.
bool passesOn(StatementKind kind) {
  return kind == StatementKind::Phi || kind == StatementKind::Compute || kind == StatementKind::Choose ||
         kind == StatementKind::Return;
}

template <typename Visit> void forEachStatement(const Unit &unit, const Function &function, Visit visit) {
  for (uint32_t b = 0; b != function.blockCount; ++b) {
    const Block &block = unit.blocks[BlockId(function.firstBlock.value() + b)];
    for (uint32_t s = 0; s != block.statementCount; ++s)
      visit(unit.statements[StatementId(block.firstStatement.value() + s)]);
  }
}

template <typename Visit> void forEachArgument(const Unit &unit, const Statement &statement, Visit visit) {
  const Call &call = unit.calls[CallId(static_cast<uint32_t>(statement.number))];
  for (uint32_t a = 0; a != call.argumentCount; ++a)
    visit(unit.arguments[ArgumentId(call.firstArgument.value() + a)].value);
}

template <typename Visit> void forEachPassedOn(const Unit &unit, const Statement &statement, Visit visit) {
  if (statement.kind == StatementKind::Call) forEachArgument(unit, statement, visit);
  if (passesOn(statement.kind)) visit(statement.a);
  if (passesOn(statement.kind) || statement.kind == StatementKind::Store) visit(statement.b);
}

// The values of one function: who made each, and who uses it.
class Values {
public:
  Values(const Unit &unit, const Function &function) : rows_(function.valueCount) {
    forEachStatement(unit, function, [&](const Statement &statement) {
      if (statement.result.valid()) rows_[statement.result.value()].made = &statement;
      use(statement.a, statement);
      use(statement.b, statement);
      if (statement.kind == StatementKind::Call) useInCall(unit, statement);
    });
  }

  // The store that alone takes what was loaded, by way of numbers that are computed from it. Invalid: none.
  SiteId takerOf(const Statement &load) const {
    ValueId value = load.result;
    for (int step = 0; step != kMaxSteps && value.valid() && rows_[value.value()].uses == 1; ++step) {
      const Statement &user = *rows_[value.value()].user;
      if (user.kind == StatementKind::Store) return user.b == Operand::value(value) ? user.site : SiteId();
      if (user.kind != StatementKind::Compute && user.kind != StatementKind::Copy) break;
      value = user.result;
    }
    return {};
  }

  // The variable that the address lies in, if the function names it.
  SymbolId variableOf(Operand address) const {
    for (int step = 0; step != kMaxSteps && address.isValue(); ++step) {
      const Statement *made = rows_[address.value().value()].made;
      if (!made || !isPlace(made->kind)) break;
      address = made->a;
    }
    return address.isSymbol() ? address.symbol() : SymbolId();
  }

private:
  struct Row {
    const Statement *made = nullptr; // null: a parameter
    const Statement *user = nullptr; // the last one
    uint32_t uses = 0;
  };

  void use(const Operand &operand, const Statement &by) {
    if (!operand.isValue()) return;
    Row &row = rows_[operand.value().value()];
    row.user = &by;
    ++row.uses;
  }
  void useInCall(const Unit &unit, const Statement &statement) {
    use(unit.calls[CallId(static_cast<uint32_t>(statement.number))].callee, statement);
    forEachArgument(unit, statement, [&](const Operand &argument) { use(argument, statement); });
  }

  std::vector<Row> rows_;
};

} // namespace

Counting::Counting(const Unit &unit)
    : unit_(unit), takers_(unit.sites.size()), passedOn_(static_cast<unsigned>(unit.symbols.size())),
      callees_(unit.functions.size()), callers_(unit.functions.size()) {
  for (const Initialiser &initialiser : unit.initialisers) passedOn_.set(initialiser.target.value());
  for (uint32_t f = 0; f != unit.functions.size(); ++f) readFunction(FunctionId(f));
  for (const Read &read : others_)
    takers_[read.site.value()] = SiteId(); // inlined library code stands in several functions
  std::map<FunctionId, llvm::BitVector> nearby;
  for (const Read &counted : counted_) {
    auto [found, isNew] = nearby.try_emplace(counted.function);
    if (isNew) found->second = near(counted.function);
    if (isReadOtherwise(counted, found->second)) takers_[counted.site.value()] = SiteId();
  }
}

bool Counting::only(const LateAccess &late) const {
  std::span<const SiteId> sites = sitesOf(unit_, late);
  auto counts = [&](SiteId site) {
    if (unit_.sites[site].kind != AccessKind::Read) return true;
    return std::ranges::find(sites, takers_[site.value()]) != sites.end();
  };
  return std::ranges::all_of(sites, counts);
}

void Counting::readFunction(FunctionId id) {
  const Values values(unit_, unit_.functions[id]);
  forEachStatement(unit_, unit_.functions[id], [&](const Statement &statement) {
    if (statement.kind == StatementKind::Load && statement.site.valid()) {
      const SiteId taker = values.takerOf(statement);
      takers_[statement.site.value()] = taker;
      (taker.valid() ? counted_ : others_).push_back({id, values.variableOf(statement.a), statement.site});
    }
    if (statement.kind == StatementKind::Transfer && statement.other.valid())
      others_.push_back({id, values.variableOf(statement.b), statement.other});
    if (statement.kind == StatementKind::Call)
      addCall(id, unit_.calls[CallId(static_cast<uint32_t>(statement.number))]);
    forEachPassedOn(unit_, statement, [&](const Operand &address) {
      if (SymbolId variable = values.variableOf(address); variable.valid()) passedOn_.set(variable.value());
    });
  });
}

void Counting::addCall(FunctionId caller, const Call &call) {
  if (!call.callee.isSymbol()) return;
  const Symbol &symbol = unit_.symbols[call.callee.symbol()];
  const FunctionId callee = symbol.aliasee.valid() ? unit_.symbols[symbol.aliasee].function : symbol.function;
  if (!callee.valid()) return;
  callees_[caller.value()].push_back(callee);
  callers_[callee.value()].push_back(caller);
}

// Whatever is called from the function, or from one that calls it.
llvm::BitVector Counting::near(FunctionId function) const {
  llvm::BitVector found(static_cast<unsigned>(unit_.functions.size()));
  std::vector<FunctionId> open = callers_[function.value()];
  open.push_back(function);
  while (!open.empty()) {
    const FunctionId next = open.back();
    open.pop_back();
    if (found.test(next.value())) continue;
    found.set(next.value());
    llvm::append_range(open, callees_[next.value()]);
  }
  return found;
}

bool Counting::isReadOtherwise(const Read &counted, const llvm::BitVector &nearby) const {
  return std::ranges::any_of(
      others_, [&](const Read &read) { return nearby.test(read.function.value()) && mayBeSame(counted, read); });
}

// A field is not looked for behind pointers to numbers, as few take its address.
bool Counting::mayBeSame(const Read &counted, const Read &read) const {
  const Site &mine = unit_.sites[counted.site], &other = unit_.sites[read.site];
  if (counted.variable.valid() && read.variable.valid() && counted.variable != read.variable) return false;
  if (other.kind == AccessKind::RangeRead) return true;
  if (isField(mine) || isField(other)) return mine.field == other.field && mine.type == other.type;
  if (counted.variable == read.variable || !counted.variable.valid()) return mine.size == other.size;
  return !read.variable.valid() && mine.size == other.size && passedOn_.test(counted.variable.value());
}

} // namespace deadheat::model
