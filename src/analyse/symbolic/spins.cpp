#include "analyse/symbolic/spins.h"

#include <optional>
#include <vector>

namespace deadheat::analyse {

using model::StatementKind;

namespace {

class Finder {
public:
  Finder(const model::Unit &unit, const model::Function &body) : unit_(unit), body_(body), before_(body.blockCount) {
    for (uint32_t block = 0; block < body.blockCount; ++block)
      forEachNext(block, [&](uint32_t next) { before_[next].push_back(block); });
  }

  SpinExits run() {
    for (uint32_t block = 0; block < body_.blockCount; ++block)
      if (std::optional<model::Operand> atomic = updatedIn(block)) search(block, *atomic);
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

  std::optional<model::Operand> updatedIn(uint32_t block) const {
    std::optional<model::Operand> found;
    all(block, [&](const model::Statement &statement) {
      if (statement.kind == StatementKind::AtomicUpdate && statement.result.valid()) found = statement.a;
      return !found;
    });
    return found;
  }

  bool waits(uint32_t block, const model::Operand &atomic) const {
    return all(block, [&](const model::Statement &statement) {
      switch (statement.kind) {
      case StatementKind::AtomicUpdate: return statement.a == atomic;
      case StatementKind::Call:
        return (unit_.calls[model::CallId(static_cast<uint32_t>(statement.number))].flags & model::kAssembly) != 0;
      case StatementKind::Store:
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
  template <typename Next> std::vector<bool> spread(uint32_t from, const model::Operand &atomic, Next next) const {
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

  void search(uint32_t from, const model::Operand &atomic) {
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

  const model::Unit &unit_;
  const model::Function &body_;
  std::vector<std::vector<uint32_t>> before_; // [block]
  SpinExits found_;
};

} // namespace

SpinExits findSpinExits(const model::Unit &unit, const model::Function &body) {
  bool hasUpdate = false;
  for (uint32_t block = 0; block < body.blockCount && !hasUpdate; ++block) {
    const model::Block &row = unit.blocks[model::BlockId(body.firstBlock.value() + block)];
    for (uint32_t i = 0; i < row.statementCount; ++i)
      hasUpdate |=
          unit.statements[model::StatementId(row.firstStatement.value() + i)].kind == StatementKind::AtomicUpdate;
  }
  return hasUpdate ? Finder(unit, body).run() : SpinExits();
}

} // namespace deadheat::analyse
