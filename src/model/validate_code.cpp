#include "model/validate_code.h"

#include "llvm/ADT/BitVector.h"

#include "model/moves.h"

namespace deadheat::model {
namespace {

// More than any function of a real program has; readers may keep a table of this size.
constexpr uint32_t kMaxParameters = 65535;

std::unexpected<Error> bad(const char *what, size_t index, const char *why) {
  return fail(std::string(what) + " " + std::to_string(index) + " " + why);
}

bool hasNumber(int64_t number, uint64_t limit) { return number >= 0 && static_cast<uint64_t>(number) < limit; }

// How many edges a block has that ends with such a statement.
struct EdgeRule {
  StatementKind kind;
  uint32_t least;
  uint32_t most;
};
constexpr EdgeRule kEdgeRules[] = {{StatementKind::Call, 1, UINT32_MAX}, {StatementKind::Return, 0, 0},
                                   {StatementKind::Branch, 2, 2},        {StatementKind::Switch, 1, UINT32_MAX},
                                   {StatementKind::Jump, 1, UINT32_MAX}, {StatementKind::Stop, 0, 0}};

// What the `number` of a statement may be, where it is an index or an enumeration.
bool isGoodNumber(const Statement &row, const Function &function) {
  switch (row.kind) {
  case StatementKind::Phi: return hasNumber(row.number, function.blockCount);
  case StatementKind::Compare:
  case StatementKind::Branch: return hasNumber(row.number, static_cast<uint64_t>(Predicate::Unknown) + 1);
  case StatementKind::AtomicStore:
  case StatementKind::AtomicUpdate:
    return row.number >= 0 && orderOf(row) <= Order::Sequential &&
           (row.number >> kMoveShift) <= static_cast<int64_t>(Move::Down);
  case StatementKind::AtomicLoad:
  case StatementKind::Fence: return hasNumber(row.number, static_cast<uint64_t>(Order::Sequential) + 1);
  default: return true;
  }
}

class CodeChecker {
public:
  explicit CodeChecker(const Unit &unit) : unit_(unit) {}

  Expected<void> check() {
    for (uint32_t i = 0; i < unit_.functions.size(); ++i)
      if (const char *why = checkFunction(unit_.functions[FunctionId(i)])) return bad("function", i, why);
    if (blocks_ != unit_.blocks.size() || edges_ != unit_.edges.size() || statements_ != unit_.statements.size() ||
        calls_ != unit_.calls.size() || arguments_ != unit_.arguments.size())
      return fail("some of its code belongs to no function");
    return {};
  }

private:
  const char *checkFunction(const Function &function) {
    function_ = &function;
    if (function.firstBlock.value() != blocks_ || function.blockCount > unit_.blocks.size() - blocks_)
      return "names blocks that are not there";
    if (function.parameterCount > kMaxParameters || function.parameterCount > function.valueCount)
      return "has a wrong number of parameters";
    // Each value is a parameter or the result of a statement: no table of values is larger than the code.
    if (function.valueCount - function.parameterCount > unit_.statements.size() - statements_)
      return "has too many values";
    assigned_.clear();
    assigned_.resize(function.valueCount);
    for (uint32_t i = 0; i < function.blockCount; ++i)
      if (const char *why = checkBlock(unit_.blocks[BlockId(blocks_++)])) return why;
    return nullptr;
  }

  const char *checkBlock(const Block &block) {
    if (block.firstStatement.value() != statements_ || block.statementCount > unit_.statements.size() - statements_ ||
        block.statementCount == 0)
      return "has a block without its statements";
    if (block.firstEdge.value() != edges_ || block.edgeCount > unit_.edges.size() - edges_)
      return "has a block without its edges";
    const Statement *above = nullptr;
    for (uint32_t i = 0; i < block.statementCount; ++i) {
      const Statement &row = unit_.statements[StatementId(statements_++)];
      bool isLast = i + 1 == block.statementCount;
      if (isLast ? !endsBlock(row.kind) : endsBlock(row.kind) && row.kind != StatementKind::Call)
        return "has a block that does not end where its statements do";
      if (row.kind == StatementKind::Phi && above && above->kind != StatementKind::Phi)
        return "has a phi in the middle of a block";
      if (const char *why = checkStatement(row, above)) return why;
      above = &row;
    }
    return checkEdges(block, above->kind);
  }

  const char *checkEdges(const Block &block, StatementKind last) {
    for (const EdgeRule &rule : kEdgeRules)
      if (rule.kind == last && (block.edgeCount < rule.least || block.edgeCount > rule.most))
        return "has a block with edges that its last statement cannot take";
    for (uint32_t i = 0; i < block.edgeCount; ++i)
      if (unit_.edges[EdgeId(edges_++)].target >= function_->blockCount)
        return "has an edge to a block that is not there";
    return nullptr;
  }

  const char *checkStatement(const Statement &row, const Statement *above) {
    if (!isGood(row.a) || !isGood(row.b)) return "uses an operand that is not there";
    if (!isGood(row.site) || !isGood(row.other)) return "accesses a site that is not there";
    if (!isGoodNumber(row, *function_)) return "has a statement with a number out of range";
    if (row.kind == StatementKind::Call)
      if (const char *why = checkCall(row.number)) return why;
    return checkResult(row, above);
  }

  const char *checkResult(const Statement &row, const Statement *above) {
    if (!row.result.valid()) return nullptr;
    uint32_t result = row.result.value();
    if (result < function_->parameterCount || result >= function_->valueCount)
      return "assigns a value that is not there";
    bool isNextPhiRow = row.kind == StatementKind::Phi && above && above->result == row.result;
    if (assigned_.test(result) && !isNextPhiRow) return "assigns a value twice";
    assigned_.set(result);
    return nullptr;
  }

  const char *checkCall(int64_t number) {
    if (number != calls_ || calls_ == unit_.calls.size()) return "makes a call that is not there";
    const Call &call = unit_.calls[CallId(calls_++)];
    for (StringId id : {call.type, call.file})
      if (!unit_.strings.contains(id)) return "makes a call that names a string that is not there";
    if (!isGood(call.callee) || call.callee.isNumber()) return "calls something that is not there";
    if (call.firstArgument.value() != arguments_ || call.argumentCount > unit_.arguments.size() - arguments_)
      return "makes a call without its arguments";
    for (uint32_t i = 0; i < call.argumentCount; ++i) {
      const Argument &argument = unit_.arguments[ArgumentId(arguments_++)];
      if (!isGood(argument.value) || !unit_.strings.contains(argument.path))
        return "passes something that is not there";
    }
    return nullptr;
  }

  bool isGood(const Operand &operand) const {
    if (operand.isValue()) return hasNumber(operand.index, function_->valueCount);
    return !operand.isSymbol() || hasNumber(operand.index, unit_.symbols.size());
  }
  bool isGood(SiteId site) const { return !site.valid() || unit_.sites.contains(site); }

  const Unit &unit_;
  const Function *function_ = nullptr;
  llvm::BitVector assigned_; // values of the function
  uint32_t blocks_ = 0;
  uint32_t edges_ = 0;
  uint32_t statements_ = 0;
  uint32_t calls_ = 0;
  uint32_t arguments_ = 0;
};

Expected<void> validateSymbol(const Unit &unit, uint32_t index) {
  const Symbol &symbol = unit.symbols[SymbolId(index)];
  for (StringId id : {symbol.name, symbol.display, symbol.type, symbol.file})
    if (!unit.strings.contains(id)) return bad("symbol", index, "names a string that is not there");
  if (symbol.function.valid() && !unit.functions.contains(symbol.function))
    return bad("symbol", index, "names a function that is not there");
  // Aliases of aliases are resolved when they are written: no reader can go round in a circle.
  if (symbol.aliasee.valid() &&
      (!unit.symbols.contains(symbol.aliasee) || unit.symbols[symbol.aliasee].aliasee.valid()))
    return bad("symbol", index, "is another name of nothing");
  return {};
}

} // namespace

Expected<void> validateSymbols(const Unit &unit) {
  for (uint32_t i = 0; i < unit.symbols.size(); ++i)
    if (auto good = validateSymbol(unit, i); !good) return good;
  for (size_t i = 0; i < unit.initialisers.size(); ++i)
    if (!unit.symbols.contains(unit.initialisers[i].variable) || !unit.symbols.contains(unit.initialisers[i].target))
      return bad("initialiser", i, "names a symbol that is not there");
    else if (unit.initialisers[i].back > unit.initialisers[i].offset)
      return bad("initialiser", i, "has its like before its variable");
  for (size_t i = 0; i < unit.inheritance.size(); ++i)
    if (!unit.strings.contains(unit.inheritance[i].derived) || !unit.strings.contains(unit.inheritance[i].base))
      return bad("inheritance", i, "names a string that is not there");
  return {};
}

Expected<void> validateCode(const Unit &unit) { return CodeChecker(unit).check(); }

} // namespace deadheat::model
