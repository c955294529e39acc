#include "link/skipped_joins.h"

#include "link/definitions.h"

namespace deadheat::link {

namespace {

using model::Operand;
using model::StatementKind;

class Finder {
public:
  Finder(const Code &code, FuncId function)
      : unit_(code.unitOf(function)), body_(code.bodyOf(function)), definitions_(code, function),
        before_(body_.blockCount) {
    for (uint32_t b = 0; b < body_.blockCount; ++b)
      for (uint32_t e = 0; e < block(b).edgeCount; ++e) before_[edge(b, e).target].push_back(b);
  }

  std::vector<SkippingEdge> run(uint32_t at, Operand handle) const {
    Operand owner = rootOf(handle);
    std::vector<SkippingEdge> found;
    for (int tests = 0; tests < kMaxTests && before_[at].size() == 1; at = before_[at][0]) {
      uint32_t from = before_[at][0];
      if (block(from).edgeCount < 2 || edge(from, 1).kind == model::EdgeKind::Unwind) continue;
      const model::Statement &last = lastOf(from);
      if (last.kind != StatementKind::Branch || !isAbout(last, owner)) break;
      found.push_back({from, edge(from, edge(from, 0).target == at ? 1 : 0).target});
      ++tests;
    }
    return found;
  }

  std::optional<Termination> terminationAt(uint32_t at) const {
    if (before_[at].size() != 1) return std::nullopt;
    const uint32_t from = before_[at][0];
    const model::Statement &last = lastOf(from);
    if (last.kind != StatementKind::Branch || block(from).edgeCount != 2 || !last.a.isValue()) return std::nullopt;
    const model::Statement *read = definitions_.of(definitions_.strip(last.a).value());
    if (!read || read->kind != StatementKind::Load || isReachedWithoutException(from)) return std::nullopt;
    return Termination{{from, edge(from, edge(from, 0).target == at ? 1 : 0).target}, read->a};
  }

private:
  bool isReachedWithoutException(uint32_t wanted) const {
    std::vector<bool> isReached(body_.blockCount);
    std::vector<uint32_t> pending{0};
    isReached[0] = true;
    while (!pending.empty() && !isReached[wanted]) {
      const uint32_t b = pending.back();
      pending.pop_back();
      for (uint32_t e = 0; e < block(b).edgeCount; ++e) {
        if (edge(b, e).kind == model::EdgeKind::Unwind || isReached[edge(b, e).target]) continue;
        isReached[edge(b, e).target] = true;
        pending.push_back(edge(b, e).target);
      }
    }
    return isReached[wanted];
  }

  static constexpr int kMaxTests = 4;
  static constexpr int kMaxSteps = 16;

  const model::Block &block(uint32_t b) const { return unit_.blocks[model::BlockId(body_.firstBlock.value() + b)]; }
  const model::Edge &edge(uint32_t b, uint32_t e) const {
    return unit_.edges[model::EdgeId(block(b).firstEdge.value() + e)];
  }
  const model::Statement &lastOf(uint32_t b) const {
    return unit_.statements[model::StatementId(block(b).firstStatement.value() + block(b).statementCount - 1)];
  }

  Operand firstArgument(const model::Statement &made) const {
    const model::Call &call = unit_.calls[model::CallId(static_cast<uint32_t>(made.number))];
    return call.argumentCount == 0 ? Operand{} : unit_.arguments[call.firstArgument].value;
  }

  // The parameter, stack object or variable from which the value is reached.
  Operand rootOf(Operand operand) const {
    for (int steps = 0; operand.isValue() && steps < kMaxSteps; ++steps) {
      const model::Statement *made = definitions_.of(operand.value());
      if (!made) break;
      switch (made->kind) {
      case StatementKind::Copy:
      case StatementKind::Field:
      case StatementKind::Index:
      case StatementKind::Load:
      case StatementKind::AtomicLoad:
      case StatementKind::Compute:
      case StatementKind::AtomicUpdate:
      case StatementKind::Compare: operand = made->a; break;
      case StatementKind::Call: operand = firstArgument(*made); break;
      default: return operand;
      }
    }
    return operand;
  }

  bool isAbout(const model::Statement &test, Operand owner) const {
    for (Operand side : {test.a, test.b}) {
      if (!side.isValue()) continue;
      Operand root = rootOf(side);
      bool isRead = !(root == side); // a bare parameter is the caller's wish
      if (isRead && (root == owner || (root.isSymbol() && owner.isSymbol()))) return true;
    }
    return false;
  }

  const model::Unit &unit_;
  const model::Function &body_;
  Definitions definitions_;
  std::vector<std::vector<uint32_t>> before_; // [block]: where its edges come from
};

} // namespace

std::vector<SkippingEdge> skippedJoin(const Code &code, const CallSite &join, Operand handle) {
  uint32_t at = code.blockOf(join.caller, join.block);
  return Finder(code, join.caller).run(at, handle);
}

std::optional<Termination> terminationAt(const Code &code, const CallSite &end) {
  return Finder(code, end.caller).terminationAt(code.blockOf(end.caller, end.block));
}

std::vector<SkippingEdge> failedStart(const Code &code, const CallSite &start) {
  const model::Unit &unit = code.unitOf(start.caller);
  const model::Function &body = code.bodyOf(start.caller);
  model::ValueId result = unit.statements[start.statement].result;
  std::vector<SkippingEdge> found;
  for (uint32_t b = 0; result.valid() && b < body.blockCount; ++b) {
    const model::Block &block = unit.blocks[model::BlockId(body.firstBlock.value() + b)];
    if (block.statementCount == 0 || block.edgeCount != 2) continue;
    const model::Statement &last =
        unit.statements[model::StatementId(block.firstStatement.value() + block.statementCount - 1)];
    bool isAbout =
        last.kind == StatementKind::Branch && last.a == Operand::value(result) && last.b == Operand::number(0);
    auto predicate = static_cast<model::Predicate>(last.number);
    if (!isAbout || (predicate != model::Predicate::Equal && predicate != model::Predicate::NotEqual)) continue;
    uint32_t failed = predicate == model::Predicate::NotEqual ? 0 : 1;
    found.push_back({b, unit.edges[model::EdgeId(block.firstEdge.value() + failed)].target});
  }
  return found;
}

} // namespace deadheat::link
