#include "analyse/symbolic/waits.h"

#include <algorithm>

#include "link/definitions.h"
#include "link/loops.h"

namespace deadheat::analyse {

using link::FuncId;
using model::Operand;
using model::Statement;
using model::StatementKind;

namespace {

constexpr int kMaxSteps = 6;         // of the expression that is tested
constexpr uint32_t kMaxBlocks = 16;  // of a function that only wraps a wait
constexpr unsigned kMaxWrappers = 3; // around each other

bool isWait(const link::Program &program, FuncId callee, const std::set<FuncId> &waiters) {
  const knowledge::Row *row = program.function(callee).known;
  return (row && row->action == knowledge::Action::ConditionWait) || waiters.contains(callee);
}

class Finder {
public:
  Finder(const link::Program &program, FuncId function)
      : code_{program.units, program.symbols}, calls_(program.calls), function_(function),
        unit_(code_.unitOf(function)), body_(code_.bodyOf(function)), definitions_(code_, function) {}

  // Ways out of the loop around the block.
  void add(uint32_t waiting, WaitExits &exits) const {
    std::vector<bool> after = link::reachableFrom(code_, function_, waiting);
    if (!after[waiting]) return;
    auto leadsBack = [&](uint32_t block) {
      return block == waiting || link::reachableFrom(code_, function_, block)[waiting];
    };
    for (uint32_t block = 0; block < body_.blockCount; ++block) {
      const model::Block &row = unit_.blocks[model::BlockId(body_.firstBlock.value() + block)];
      if (!after[block] || row.edgeCount < 2 || row.statementCount == 0 || !leadsBack(block)) continue;
      const Statement &last = unit_.statements[model::StatementId(row.firstStatement.value() + row.statementCount - 1)];
      if (last.kind != StatementKind::Branch) continue;
      std::vector<Waited> read;
      for (Operand tested : {last.a, last.b}) collect(tested, kMaxSteps, read);
      for (uint32_t e = 0; !read.empty() && e < row.edgeCount; ++e)
        if (uint32_t next = unit_.edges[model::EdgeId(row.firstEdge.value() + e)].target; !leadsBack(next))
          exits[{block, next}] = read;
    }
  }

private:
  void collect(Operand tested, int steps, std::vector<Waited> &read) const {
    const Statement *made = tested.isValue() ? definitions_.of(tested.value()) : nullptr;
    if (!made || steps == 0) return;
    switch (made->kind) {
    case StatementKind::Load: read.push_back({.address = made->a, .site = made->site}); break;
    case StatementKind::Call:
      read.push_back(
          {.result = tested.value(),
           .call = calls_.site(code_.function(function_).unit, model::CallId(static_cast<uint32_t>(made->number)))});
      break;
    case StatementKind::Copy: collect(made->a, steps - 1, read); break;
    case StatementKind::Compare:
    case StatementKind::Compute:
      collect(made->a, steps - 1, read);
      collect(made->b, steps - 1, read);
      break;
    default: break;
    }
  }

  link::Code code_;
  const link::CallGraph &calls_;
  FuncId function_;
  const model::Unit &unit_;
  const model::Function &body_;
  link::Definitions definitions_;
};

} // namespace

std::set<FuncId> findWaiters(const link::Program &program) {
  link::Code code{program.units, program.symbols};
  std::set<FuncId> waiters;
  for (unsigned round = 0; round < kMaxWrappers; ++round) {
    std::set<FuncId> more;
    for (const link::CallSite &site : program.calls.sites) {
      if (!site.caller.valid() || code.bodyOf(site.caller).blockCount > kMaxBlocks || waiters.contains(site.caller))
        continue;
      FuncId callee = code.directCallee(site.unit, code.unit(site.unit).calls[site.call]);
      if (!callee.valid() || !isWait(program, callee, waiters)) continue;
      uint32_t block = code.blockOf(site.caller, site.block);
      if (!link::findLoops(code, site.caller).repeats(block)) more.insert(site.caller);
    }
    if (more.empty()) break;
    waiters.merge(more);
  }
  return waiters;
}

WaitExits findWaitExits(const link::Program &program, FuncId function, const std::set<FuncId> &waiters) {
  link::Code code{program.units, program.symbols};
  const link::UnitId unit = code.function(function).unit;
  std::vector<uint32_t> waiting;
  code.forEachStatement(function, [&](model::BlockId block, model::StatementId, const Statement &statement) {
    if (statement.kind != StatementKind::Call) return;
    const model::Call &call = code.unit(unit).calls[model::CallId(static_cast<uint32_t>(statement.number))];
    FuncId callee = code.directCallee(unit, call);
    if (callee.valid() && isWait(program, callee, waiters)) waiting.push_back(code.blockOf(function, block));
  });
  WaitExits exits;
  if (waiting.empty()) return exits;
  Finder finder(program, function);
  for (uint32_t block : waiting) finder.add(block, exits);
  return exits;
}

} // namespace deadheat::analyse
