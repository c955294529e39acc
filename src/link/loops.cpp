#include "link/loops.h"

#include <algorithm>

#include "link/components.h"
#include "link/lists.h"

namespace deadheat::link {

namespace {

using Index = Id<struct BlockIndex>;

Lists<Index, uint32_t> successorsOf(const Code &code, FuncId function) {
  const model::Unit &unit = code.unitOf(function);
  const model::Function &body = code.bodyOf(function);
  ListsBuilder<Index, uint32_t> builder(body.blockCount);
  for (uint32_t b = 0; b < body.blockCount; ++b) {
    const model::Block &block = unit.blocks[model::BlockId(body.firstBlock.value() + b)];
    for (uint32_t e = 0; e < block.edgeCount; ++e)
      builder.add(Index(b), unit.edges[model::EdgeId(block.firstEdge.value() + e)].target);
  }
  return builder.finish();
}

class Finder {
public:
  explicit Finder(Lists<Index, uint32_t> successors) : successors_(std::move(successors)) {
    loops_.innermost.assign(successors_.size(), Loops::kNone);
    loops_.outermost.assign(successors_.size(), Loops::kNone);
  }

  Loops run() {
    std::vector<bool> removed(successors_.size(), false);
    while (nest(removed)) {
    }
    return std::move(loops_);
  }

private:
  // One level of nesting: numbers the cycles among blocks that are left, then takes out their headers.
  bool nest(std::vector<bool> &removed) {
    std::vector<uint32_t> kept;
    auto next = [&](uint32_t block) {
      kept.clear();
      if (!removed[block])
        for (uint32_t target : successors_[Index(block)])
          if (!removed[target]) kept.push_back(target);
      return kept; // a copy: the finder keeps none across calls
    };
    Components found = findComponents(static_cast<uint32_t>(successors_.size()), next);
    std::vector<uint32_t> size(found.count, 0);
    std::vector<bool> cyclic(found.count, false);
    for (uint32_t b = 0; b < found.of.size(); ++b) {
      if (++size[found.of[b]] > 1) cyclic[found.of[b]] = true;
      for (uint32_t target : next(b))
        if (target == b) cyclic[found.of[b]] = true;
    }
    return number(found, cyclic, removed);
  }

  bool number(const Components &found, const std::vector<bool> &cyclic, std::vector<bool> &removed) {
    std::vector<uint32_t> numbers(found.count, Loops::kNone);
    for (uint32_t b = 0; b < found.of.size(); ++b) {
      if (!cyclic[found.of[b]]) continue;
      uint32_t &number = numbers[found.of[b]];
      if (number == Loops::kNone) {
        number = ++count_;
        loops_.around.push_back(loops_.innermost[b]);
        removed[b] = true; // the first in the function is the header
      }
      loops_.innermost[b] = number;
      if (loops_.outermost[b] == Loops::kNone) loops_.outermost[b] = number;
    }
    return std::ranges::find(cyclic, true) != cyclic.end();
  }

  Lists<Index, uint32_t> successors_;
  uint32_t count_ = 0;
  Loops loops_;
};

} // namespace

bool isInEachRound(const Code &code, FuncId function, const Loops &loops, uint32_t block) {
  if (!loops.repeats(block)) return false;
  const uint32_t header = loops.header(loops.innermost[block]);
  Lists<Index, uint32_t> successors = successorsOf(code, function);
  std::vector<bool> seen(successors.size(), false);
  std::vector<uint32_t> pending{header};
  while (!pending.empty() && header != block) {
    uint32_t from = pending.back();
    pending.pop_back();
    for (uint32_t target : successors[Index(from)]) {
      if (target == header) return false;
      if (target < header || target == block || seen[target]) continue;
      seen[target] = true;
      pending.push_back(target);
    }
  }
  return true;
}

std::vector<bool> leadsTo(const Code &code, FuncId function, const Loops &loops, uint32_t loop, uint32_t block) {
  Lists<Index, uint32_t> successors = successorsOf(code, function);
  ListsBuilder<Index, uint32_t> builder(successors.size());
  for (uint32_t from = 0; from < successors.size(); ++from)
    for (uint32_t target : successors[Index(from)]) builder.add(Index(target), from);
  Lists<Index, uint32_t> before = builder.finish();
  const uint32_t header = loops.header(loop);
  std::vector<bool> leads(successors.size(), false);
  leads[block] = true;
  std::vector<uint32_t> pending{block};
  while (!pending.empty()) {
    uint32_t to = pending.back();
    pending.pop_back();
    if (loop != Loops::kNone && to == header) continue;
    for (uint32_t from : before[Index(to)]) {
      if (leads[from] || !loops.isIn(from, loop)) continue;
      leads[from] = true;
      pending.push_back(from);
    }
  }
  return leads;
}

std::vector<bool> reachableFrom(const Code &code, FuncId function, uint32_t block) {
  Lists<Index, uint32_t> successors = successorsOf(code, function);
  std::vector<bool> reached(successors.size(), false);
  std::vector<uint32_t> pending{block};
  while (!pending.empty()) {
    uint32_t from = pending.back();
    pending.pop_back();
    for (uint32_t target : successors[Index(from)])
      if (!reached[target]) {
        reached[target] = true;
        pending.push_back(target);
      }
  }
  return reached;
}

Loops findLoops(const Code &code, FuncId function) { return Finder(successorsOf(code, function)).run(); }

bool mayThrow(const model::Unit &unit, const model::Block &block) {
  for (uint32_t e = 0; e < block.edgeCount; ++e)
    if (unit.edges[model::EdgeId(block.firstEdge.value() + e)].kind == model::EdgeKind::Unwind) return true;
  return false;
}

bool doesReturn(const model::Unit &unit, const model::Block &block) {
  if (block.statementCount == 0) return false;
  model::StatementId last(block.firstStatement.value() + block.statementCount - 1);
  return unit.statements[last].kind == model::StatementKind::Return;
}

bool doesReturn(const Code &code, FuncId function) {
  const model::Function &body = code.bodyOf(function);
  for (uint32_t b = 0; b < body.blockCount; ++b)
    if (doesReturn(code.unitOf(function), code.unitOf(function).blocks[model::BlockId(body.firstBlock.value() + b)]))
      return true;
  return false;
}

} // namespace deadheat::link
