#include "analyse/symbolic/loop_ends.h"

#include <set>

#include "link/loops.h"

namespace deadheat::analyse {

using knowledge::Action;

namespace {

struct Done {
  uint32_t block;
  LoopEnd what;
};

// Which calls of the function take locks or wait, and in which blocks locks are given back.
struct LockCalls {
  std::vector<Done> done;
  std::set<uint32_t> giving;
};

LockCalls lockCallsOf(const link::Program &program, const link::Code &code, link::FuncId function) {
  LockCalls found;
  const link::UnitId unit = code.function(function).unit;
  code.forEachStatement(function, [&](model::BlockId block, model::StatementId, const model::Statement &statement) {
    if (statement.kind != model::StatementKind::Call) return;
    const model::Call &call = code.unit(unit).calls[model::CallId(static_cast<uint32_t>(statement.number))];
    const link::FuncId callee = code.directCallee(unit, call);
    const knowledge::Row *row = callee.valid() ? program.function(callee).known : nullptr;
    if (!row) return;
    const uint32_t number = code.blockOf(function, block);
    if (row->action == Action::Release) found.giving.insert(number);
    if (row->action == Action::Acquire && !row->has(knowledge::kTry) && row->mode == knowledge::Mode::Exclusive)
      found.done.push_back({number, {link::argumentOf(code.unit(unit), call, row->object)}});
    if (row->action == Action::Wait && !row->has(knowledge::kTry))
      found.done.push_back({number, {link::argumentOf(code.unit(unit), call, row->object), true}});
  });
  return found;
}

} // namespace

LoopEnds findLoopEnds(const link::Program &program, link::FuncId function) {
  link::Code code{program.units, program.symbols};
  LoopEnds exits;
  const LockCalls calls = lockCallsOf(program, code, function);
  if (calls.done.empty()) return exits;
  const link::Loops loops = findLoops(code, function);
  const model::Unit &unit = code.unitOf(function);
  const model::Function &body = code.bodyOf(function);
  for (const Done &done : calls.done) {
    const uint32_t loop = loops.innermost[done.block];
    auto isIn = [&](uint32_t block) { return loops.isIn(block, loop); };
    if (loop == link::Loops::kNone) continue;
    if (done.what.isWait ? !isInEachRound(code, function, loops, done.block) : std::ranges::any_of(calls.giving, isIn))
      continue;
    for (uint32_t block = 0; block < body.blockCount; ++block) {
      if (!isIn(block)) continue;
      const model::Block &row = unit.blocks[model::BlockId(body.firstBlock.value() + block)];
      for (uint32_t e = 0; e < row.edgeCount; ++e)
        if (uint32_t next = unit.edges[model::EdgeId(row.firstEdge.value() + e)].target; !isIn(next))
          exits[{block, next}].push_back(done.what);
    }
  }
  return exits;
}

} // namespace deadheat::analyse
