#include "analyse/symbolic/left_out.h"

#include <algorithm>
#include <optional>

#include "analyse/symbolic/function.h"

namespace deadheat::analyse {

using model::StatementKind;

namespace {

class Finder {
public:
  Finder(const Environment &environment, link::FuncId function)
      : environment_(environment), code_{environment.program.units, environment.program.symbols}, function_(function),
        unit_(code_.unitOf(function)), body_(code_.bodyOf(function)) {}

  EdgesAround all() const {
    EdgesAround edges;
    for (uint32_t block = 0; block < body_.blockCount; ++block) {
      const model::Block &row = rowOf(block);
      if (row.edgeCount != 2) continue;
      for (uint32_t e : {0U, 1U}) {
        const uint32_t beside = targetOf(row, e), around = targetOf(row, 1 - e);
        const model::Block &other = rowOf(beside);
        if (!comesOnlyTo(other, around)) continue;
        if (std::optional<LeftOut> what = doneIn(other)) edges[{block, around}] = *what;
      }
    }
    return edges;
  }

private:
  const model::Block &rowOf(uint32_t block) const {
    return unit_.blocks[model::BlockId(body_.firstBlock.value() + block)];
  }

  uint32_t targetOf(const model::Block &row, uint32_t edge) const {
    return unit_.edges[model::EdgeId(row.firstEdge.value() + edge)].target;
  }

  // Or gives up: `if (lock(m) != 0) abort();`
  bool comesOnlyTo(const model::Block &row, uint32_t target) const {
    bool comes = false;
    for (uint32_t e = 0; e < row.edgeCount; ++e) {
      comes |= targetOf(row, e) == target;
      if (targetOf(row, e) != target && !isEnd(rowOf(targetOf(row, e)))) return false;
    }
    return comes;
  }

  bool isEnd(const model::Block &row) const {
    return row.edgeCount == 0 && row.statementCount != 0 &&
           unit_.statements[model::StatementId(row.firstStatement.value() + row.statementCount - 1)].kind !=
               StatementKind::Return;
  }

  // One call, of what takes a lock or gives it back, and otherwise only what finds the lock.
  std::optional<LeftOut> doneIn(const model::Block &row) const {
    std::optional<LeftOut> done;
    for (uint32_t i = 0; i < row.statementCount; ++i) {
      const model::Statement &statement = unit_.statements[model::StatementId(row.firstStatement.value() + i)];
      if (statement.kind == StatementKind::Store) return std::nullopt;
      if (statement.kind != StatementKind::Call) continue;
      if (done) return std::nullopt;
      done = meaningOf(unit_.calls[model::CallId(static_cast<uint32_t>(statement.number))]);
      if (!done) return std::nullopt;
    }
    return done;
  }

  std::optional<LeftOut> meaningOf(const model::Call &call) const {
    const link::FuncId callee = code_.directCallee(code_.function(function_).unit, call);
    if (!callee.valid()) return std::nullopt;
    const knowledge::Row *known = code_.function(callee).known;
    if (!known) return meaningOf(environment_.summary(callee));
    if (known->action == knowledge::Action::Acquire) return LeftOut::Taking;
    return known->action == knowledge::Action::Release ? std::optional(LeftOut::GivingBack) : std::nullopt;
  }

  static std::optional<LeftOut> meaningOf(const Summary &summary) {
    auto takes = [](const Exit &exit) {
      return std::ranges::any_of(exit.locks.held(), [](const HeldLock &held) { return held.mode != LockMode::After; });
    };
    auto gives = [](const Exit &exit) { return !exit.locks.released().empty(); };
    if (summary.exits.empty()) return std::nullopt;
    if (std::ranges::all_of(summary.exits, takes)) return LeftOut::Taking;
    return std::ranges::all_of(summary.exits, gives) ? std::optional(LeftOut::GivingBack) : std::nullopt;
  }

  const Environment &environment_;
  link::Code code_;
  link::FuncId function_;
  const model::Unit &unit_;
  const model::Function &body_;
};

} // namespace

EdgesAround findEdgesAround(const Environment &environment, link::FuncId function) {
  return Finder(environment, function).all();
}

} // namespace deadheat::analyse
