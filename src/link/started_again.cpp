#include "link/started_again.h"

#include <algorithm>

#include "link/field_names.h"

namespace deadheat::link {

namespace {

using model::Operand;
using model::Statement;
using model::StatementKind;

constexpr size_t kMaxCallers = 8; // that are looked at for a loop around a start
constexpr int kMaxDepth = 8;      // of what a branch asks

uint32_t blockOf(const Code &code, const CallSite &site) { return code.blockOf(site.caller, site.block); }

bool isJoin(const Function &function) { return function.known && function.known->action == knowledge::Action::Join; }

} // namespace

// Some argument is made anew in each round of the loop around the call.
bool StartedAgain::getsOther(const CallSite &site) const {
  const model::Unit &unit = code_.unit(site.unit);
  const model::Call &call = unit.calls[site.call];
  Definitions definitions(code_, site.caller);
  Loops loops = findLoops(code_, site.caller);
  for (uint32_t i = 0; i < call.argumentCount; ++i) {
    Operand value = argumentOf(unit, call, static_cast<int>(i));
    model::StatementId made = value.isValue() ? definitions.statementOf(value.value()) : model::StatementId();
    if (made.valid() && loops.innermost[code_.blockOf(site.caller, made)] == loops.innermost[blockOf(code_, site)])
      return true;
  }
  return false;
}

bool StartedAgain::callsJoin(FuncId function) const {
  return std::ranges::any_of(sitesOf_[function], [&](uint32_t site) {
    return std::ranges::any_of(input_.calls.callees[CallSiteId(site)],
                               [&](FuncId callee) { return isJoin(code_.function(callee)); });
  });
}

// What a branch asks may be whether there is a thread already.
bool StartedAgain::asksMemory(const Definitions &definitions, const CallSite &site, Operand operand, int depth) const {
  operand = definitions.strip(operand);
  const Statement *made = operand.isValue() ? definitions.of(operand.value()) : nullptr;
  if (!made) return false;
  if (depth == kMaxDepth) return true;
  auto asks = [&](Operand part) { return asksMemory(definitions, site, part, depth + 1); };
  switch (made->kind) {
  case StatementKind::Compute:
  case StatementKind::Compare: return asks(made->a) || asks(made->b);
  case StatementKind::Load: return !definitions.isStack(originOf(definitions, made->a).base);
  case StatementKind::AtomicLoad:
  case StatementKind::AtomicUpdate: return true;
  case StatementKind::Call: {
    const model::CallId call(static_cast<uint32_t>(made->number));
    FuncId callee = code_.directCallee(site.unit, code_.unit(site.unit).calls[call]);
    return !callee.valid() || !code_.function(callee).external();
  }
  default: break;
  }
  bool found = false;
  definitions.forEachSource(operand.value(), [&](Operand source) { found |= source != operand && asks(source); });
  return found;
}

// [block]: control may come from it to one of `blocks`, within a round of the loop.
std::vector<bool> StartedAgain::leadToOne(FuncId function, const Loops &loops, uint32_t loop,
                                          const std::vector<uint32_t> &blocks) const {
  std::vector<bool> found(code_.bodyOf(function).blockCount, false);
  for (uint32_t block : blocks) {
    const std::vector<bool> leads = leadsTo(code_, function, loops, loop, block);
    for (size_t b = 0; b < leads.size(); ++b) found[b] = found[b] || leads[b];
  }
  return found;
}

// Blocks of the function that call the same, in the same loop: of a template that was inlined there are often two (emplace_back).
std::vector<uint32_t> StartedAgain::blocksLike(const CallSite &site, const Loops &loops) const {
  const uint32_t here = blockOf(code_, site);
  const Operand callee = code_.unit(site.unit).calls[site.call].callee;
  std::vector<uint32_t> blocks{here};
  for (uint32_t s : sitesOf_[site.caller]) {
    const CallSite &other = input_.calls.sites[CallSiteId(s)];
    const uint32_t block = blockOf(code_, other);
    if (code_.unit(site.unit).calls[other.call].callee == callee && loops.innermost[block] == loops.innermost[here])
      blocks.push_back(block);
  }
  return blocks;
}

// No branch on what memory holds leads around the call: in a round of the loop around it, or in the function. What the library asks
// is where it has room.
bool StartedAgain::isEachTime(const CallSite &site) const {
  if (code_.function(site.caller).flags & model::kLibrary) return true;
  const model::Unit &unit = code_.unit(site.unit);
  const model::Function &body = code_.bodyOf(site.caller);
  Definitions definitions(code_, site.caller);
  Loops loops = findLoops(code_, site.caller);
  const uint32_t loop = loops.innermost[blockOf(code_, site)];
  const std::vector<uint32_t> blocks = blocksLike(site, loops);
  auto blockAt = [&](uint32_t b) -> const model::Block & {
    return unit.blocks[model::BlockId(body.firstBlock.value() + b)];
  };
  std::vector<uint32_t> returns;
  for (uint32_t b = 0; b < body.blockCount; ++b)
    if (doesReturn(unit, blockAt(b))) returns.push_back(b);
  const std::vector<bool> leads = leadToOne(site.caller, loops, loop, blocks);
  const std::vector<bool> ends = leadToOne(site.caller, loops, Loops::kNone, returns);
  auto isAround = [&](uint32_t target) {
    if (loop == Loops::kNone) return ends[target] && !leads[target];
    return loops.isIn(target, loop) && (!leads[target] || target == loops.header(loop));
  };
  for (uint32_t b = 0; b < body.blockCount; ++b) {
    const model::Block &block = blockAt(b);
    if (!leads[b] || block.statementCount == 0 || std::ranges::find(blocks, b) != blocks.end()) continue;
    bool isDeciding = false;
    for (uint32_t e = 0; e < block.edgeCount; ++e)
      isDeciding |= isAround(unit.edges[model::EdgeId(block.firstEdge.value() + e)].target);
    const Statement &last =
        unit.statements[model::StatementId(block.firstStatement.value() + block.statementCount - 1)];
    const bool isBranch = last.kind == StatementKind::Branch || last.kind == StatementKind::Switch;
    if (!isDeciding || !isBranch) continue;
    if (asksMemory(definitions, site, last.a) || asksMemory(definitions, site, last.b)) return false;
  }
  return true;
}

// The calls by name, from code that is executed, of the function that starts and of those that call it in turn. One that joins may
// end what it starts.
std::vector<StartedAgain::Around> StartedAgain::callsAround(CallSiteId start) const {
  std::vector<Around> callers{{start, isEachTime(input_.calls.sites[start])}}; // one call in each
  auto callerOf = [&](CallSiteId site) { return input_.calls.sites[site].caller; };
  std::vector<Around> around;
  for (size_t i = 0; i < callers.size() && i < kMaxCallers && !callsJoin(callerOf(callers[i].site)); ++i)
    for (CallSiteId site : input_.calls.callers[callerOf(callers[i].site)]) {
      const CallSite &where = input_.calls.sites[site];
      bool isByName = where.caller.valid() && code_.unit(where.unit).calls[where.call].callee.isSymbol();
      if (!isByName || often_.function[where.caller.value()] == 0) continue;
      around.push_back({site, callers[i].eachTime && isEachTime(where)});
      auto isSame = [&](const Around &other) { return callerOf(other.site) == where.caller; };
      if (std::ranges::none_of(callers, isSame)) callers.push_back(around.back());
    }
  return around;
}

// Callees first. What the library starts threads with moves others at most: a vector that grows.
void StartedAgain::findLeadingToJoin() {
  leadsToJoin_.resize(code_.symbols.functions.size());
  for (uint32_t c = 0; c < input_.calls.components.size(); ++c) {
    auto members = input_.calls.components[ComponentId(c)];
    auto leads = [&](FuncId id) {
      const Function &function = code_.function(id);
      if (isJoin(function)) return true;
      if ((function.flags & model::kLibrary) != 0 && leadsToStart_[id.value()]) return false;
      return std::ranges::any_of(sitesOf_[id], [&](uint32_t site) { return joins(CallSiteId(site)); });
    };
    if (std::ranges::any_of(members, leads))
      for (FuncId id : members) leadsToJoin_.set(id.value());
  }
}

bool StartedAgain::joins(CallSiteId site) {
  return std::ranges::any_of(input_.calls.callees[site],
                             [&](FuncId callee) { return bool(leadsToJoin_[callee.value()]); });
}

// From behind the first call to the second one, which may be the same.
bool StartedAgain::leadsAroundJoins(const CallSite &first, const CallSite &second) {
  const model::Unit &unit = code_.unit(first.unit);
  const model::Function &body = code_.bodyOf(first.caller);
  std::vector<std::vector<model::StatementId>> joining(body.blockCount);
  for (uint32_t s : sitesOf_[first.caller]) {
    const CallSite &site = input_.calls.sites[CallSiteId(s)];
    if (joins(CallSiteId(s))) joining[blockOf(code_, site)].push_back(site.statement);
  }
  auto hasBetween = [&](uint32_t block, model::StatementId after, model::StatementId before) {
    return std::ranges::any_of(joining[block], [&](model::StatementId each) { return after < each && each < before; });
  };
  const uint32_t from = blockOf(code_, first), to = blockOf(code_, second);
  if (from == to && first.statement < second.statement) return !hasBetween(from, first.statement, second.statement);
  if (hasBetween(from, first.statement, model::StatementId())) return false;
  std::vector<bool> seen(body.blockCount, false);
  std::vector<uint32_t> pending{from};
  while (!pending.empty()) {
    const model::Block &block = unit.blocks[model::BlockId(body.firstBlock.value() + pending.back())];
    pending.pop_back();
    for (uint32_t e = 0; e < block.edgeCount; ++e) {
      const uint32_t target = unit.edges[model::EdgeId(block.firstEdge.value() + e)].target;
      const bool isFree = std::ranges::none_of(
          joining[target], [&](model::StatementId each) { return target != to || each < second.statement; });
      if (!isFree || seen[target]) continue;
      if (target == to) return true;
      seen[target] = true;
      pending.push_back(target);
    }
  }
  return false;
}

// For the same object.
bool StartedAgain::isShown(const Around &first, const Around &second) {
  if (!first.eachTime || !second.eachTime) return false;
  if (leadsToJoin_.empty()) findLeadingToJoin();
  return !joins(first.site) && !joins(second.site) &&
         leadsAroundJoins(input_.calls.sites[first.site], input_.calls.sites[second.site]);
}

bool StartedAgain::isCalledInLoop(CallSiteId start) {
  return std::ranges::any_of(callsAround(start), [&](const Around &around) {
    if (!often_.inLoop[around.site.value()]) return false;
    return getsOther(input_.calls.sites[around.site]) || isShown(around, around);
  });
}

bool StartedAgain::isCalledTwice(CallSiteId start) {
  const std::vector<Around> around = callsAround(start);
  auto objectOf = [&](const CallSite &site) {
    const model::Unit &unit = code_.unit(site.unit);
    const model::Call &call = unit.calls[site.call];
    return call.argumentCount > 0 ? argumentOf(unit, call, 0) : Operand();
  };
  auto follows = [&](const CallSite &first, const CallSite &second) {
    return first.block == second.block ||
           reachableFrom(code_, first.caller, blockOf(code_, first))[blockOf(code_, second)];
  };
  for (const Around &a : around)
    for (const Around &b : around) {
      const CallSite &first = input_.calls.sites[a.site], &second = input_.calls.sites[b.site];
      if (a.site >= b.site || first.caller != second.caller) continue;
      if (!std::ranges::equal(input_.calls.callees[a.site], input_.calls.callees[b.site])) continue;
      if (objectOf(first) != objectOf(second) && (follows(first, second) || follows(second, first))) return true;
      if (isShown(a, b) || isShown(b, a)) return true;
    }
  return false;
}

} // namespace deadheat::link
