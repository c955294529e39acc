#include "analyse/symbolic/spins.h"

#include <optional>
#include <vector>

#include "analyse/symbolic/answers.h"
#include "link/definitions.h"

namespace deadheat::analyse {

using model::StatementKind;

namespace {

constexpr unsigned kMaxWrappers = 3; // around what pauses

class Finder {
public:
  Finder(const link::Program &program, const AtomicSteps &steps, link::FuncId function)
      : code_{program.units, program.symbols}, steps_(steps), definitions_(code_, function), answers_(code_, function),
        unitId_(code_.function(function).unit), unit_(code_.unit(unitId_)), body_(code_.bodyOf(function)),
        before_(body_.blockCount) {
    for (uint32_t block = 0; block < body_.blockCount; ++block)
      forEachNext(block, [&](uint32_t next) { before_[next].push_back(block); });
  }

  SpinExits run() {
    for (uint32_t block = 0; block < body_.blockCount; ++block)
      if (std::optional<AtomicStep> update = updatedIn(block)) search(block, *update);
    return std::move(found_);
  }

private:
  const model::Block &at(uint32_t block) const {
    return unit_.blocks[model::BlockId(body_.firstBlock.value() + block)];
  }

  template <typename Visit> void forEachNext(uint32_t block, Visit visit) const {
    for (uint32_t i = 0; i < at(block).edgeCount; ++i)
      visit(unit_.edges[model::EdgeId(at(block).firstEdge.value() + i)].target);
  }

  template <typename Holds> bool all(uint32_t block, Holds holds) const {
    for (uint32_t i = 0; i < at(block).statementCount; ++i)
      if (!holds(unit_.statements[model::StatementId(at(block).firstStatement.value() + i)])) return false;
    return true;
  }

  std::optional<AtomicStep> updateBy(const model::Statement &statement) const {
    std::optional<AtomicStep> step = steps_.at(unitId_, statement);
    return step && step->isUpdate ? step : std::nullopt;
  }

  // Who takes a number does not wait for one.
  std::optional<AtomicStep> updatedIn(uint32_t block) const {
    std::optional<AtomicStep> found;
    all(block, [&](const model::Statement &statement) {
      found = updateBy(statement);
      if (found && found->value.kind == model::OperandKind::None && !answers_.isAsked(statement.result)) found.reset();
      return !found;
    });
    return found;
  }

  // It sleeps or yields, and touches nothing.
  bool pauses(link::UnitId caller, const model::Statement &statement, unsigned depth) const {
    const model::Call &call = code_.unit(caller).calls[model::CallId(static_cast<uint32_t>(statement.number))];
    if ((call.flags & model::kAssembly) != 0) return true;
    link::FuncId callee = code_.directCallee(caller, call);
    if (!callee.valid() || depth == 0) return false;
    const link::Function &called = code_.function(callee);
    if (called.known) return called.known->action == knowledge::Action::Blocks;
    bool isEmpty = true, onlyPauses = !called.external();
    code_.forEachStatement(callee, [&](model::BlockId, model::StatementId, const model::Statement &inside) {
      isEmpty = false;
      onlyPauses &= inside.kind == StatementKind::Call ? pauses(called.unit, inside, depth - 1)
                                                       : inside.kind == StatementKind::Return;
    });
    return onlyPauses && !isEmpty;
  }

  bool waits(uint32_t block, const AtomicStep &atomic) const {
    return all(block, [&](const model::Statement &statement) {
      if (std::optional<AtomicStep> update = updateBy(statement)) return update->isSamePlace(atomic);
      switch (statement.kind) {
      case StatementKind::Call: return pauses(unitId_, statement, kMaxWrappers);
      case StatementKind::Store: return definitions_.isStack(statement.a); // what it expects to find
      case StatementKind::AtomicStore:
      case StatementKind::Transfer:
      case StatementKind::Fill:
      case StatementKind::Stack:
      case StatementKind::Return:
      case StatementKind::Stop: return false;
      default: return true;
      }
    });
  }

  // Waiting blocks that a walk over `next` gets to from one of them.
  template <typename Next> std::vector<bool> spread(uint32_t from, const AtomicStep &atomic, Next next) const {
    std::vector<bool> seen(body_.blockCount);
    std::vector<uint32_t> pending = {from};
    while (!pending.empty()) {
      uint32_t block = pending.back();
      pending.pop_back();
      next(block, [&](uint32_t other) {
        if (seen[other] || !waits(other, atomic)) return;
        seen[other] = true;
        pending.push_back(other);
      });
    }
    return seen;
  }

  void search(uint32_t from, const AtomicStep &atomic) {
    if (!waits(from, atomic)) return;
    std::vector<bool> after = spread(from, atomic, [&](uint32_t block, auto visit) { forEachNext(block, visit); });
    if (!after[from]) return; // nothing leads back
    std::vector<bool> before = spread(from, atomic, [&](uint32_t block, auto visit) {
      for (uint32_t other : before_[block]) visit(other);
    });
    for (uint32_t block = 0; block < body_.blockCount; ++block)
      if (after[block] && before[block])
        forEachNext(block, [&](uint32_t next) {
          if (!after[next] || !before[next]) found_.try_emplace({block, next}, atomic);
        });
  }

  link::Code code_;
  const AtomicSteps &steps_;
  link::Definitions definitions_;
  Answers answers_;
  link::UnitId unitId_;
  const model::Unit &unit_;
  const model::Function &body_;
  std::vector<std::vector<uint32_t>> before_; // [block]
  SpinExits found_;
};

} // namespace

SpinExits findSpinExits(const link::Program &program, const AtomicSteps &steps, link::FuncId function) {
  link::Code code{program.units, program.symbols};
  bool hasUpdate = false;
  code.forEachStatement(function, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
    if (hasUpdate || (statement.kind != StatementKind::AtomicUpdate && statement.kind != StatementKind::Call)) return;
    std::optional<AtomicStep> step = steps.at(code.function(function).unit, statement);
    hasUpdate = step && step->isUpdate;
  });
  return hasUpdate ? Finder(program, steps, function).run() : SpinExits();
}

} // namespace deadheat::analyse
