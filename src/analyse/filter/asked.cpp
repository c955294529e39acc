#include "analyse/filter/asked.h"

#include <algorithm>

#include "analyse/filter/comes_to.h"
#include "analyse/flag/reader.h"

namespace deadheat::analyse {

using link::FuncId;
using model::StatementId;

// Reads of the flag that decide where the way goes on, with the lock held.
Asked::Statements Asked::asking(Address lock, FlagId flag, FuncId function) const {
  const Summary &summary = world_.environment.summary(function);
  const Flag &wanted = conditions_.flag(flag);
  auto isVariable = [&](Address address, uint32_t variable, int64_t offset) {
    const Node &node = summary.names.nodes[address.node];
    return node.kind == NodeKind::Global && node.index == variable && address.offset == offset;
  };
  auto isHeld = [&](const HeldLock &held) {
    return held.mode != LockMode::After && isVariable(held.lock, world_.names.nodes[lock.node].index, lock.offset);
  };
  Statements found;
  for (const Entry &entry : summary.entries)
    if (!entry.traits.write && isVariable(entry.lvalue, wanted.variable.value(), wanted.offset) &&
        std::ranges::any_of(summary.locksets[entry.locks].held(), isHeld))
      for (const Source &source : entry.sources)
        if (source.site.valid() && conditions_.isAskedAt(flag, function, source.statement))
          found.insert(source.statement);
  return found;
}

bool Asked::isAskedByAll(Address lock, FlagId flag, FuncId function) const {
  const Statements stops = asking(lock, flag, function);
  if (stops.empty()) return false;
  const model::Unit &unit = world_.environment.program.unitOf(function);
  return !comesTo(world_.environment.program, function, [&](uint32_t, StatementId statement) {
    if (stops.contains(statement)) return Coming::Stop;
    return unit.statements[statement].kind == model::StatementKind::Return ? Coming::Found : Coming::On;
  });
}

bool Asked::isUnder(Address lock, FlagId flag, const Leaf &leaf) const {
  const link::Program &program = world_.environment.program;
  return std::ranges::any_of(leaf.steps, [&](const Step &step) {
    Statements stops = asking(lock, flag, step.function);
    for (const CallRecord &call : world_.environment.summary(step.function).calls)
      if (auto callees = program.calls.callees[call.site];
          callees.size() == 1 && call.statement != step.statement && isAskedByAll(lock, flag, callees[0]))
        stops.insert(call.statement);
    return !stops.empty() && !comesTo(program, step.function, [&](uint32_t, StatementId statement) {
      if (statement == step.statement) return Coming::Found;
      return stops.contains(statement) ? Coming::Stop : Coming::On;
    });
  });
}

bool Asked::isUnder(const HeldLocks &locks, FlagId flag, const Leaf &leaf) const {
  return conditions_.flag(flag).variable.valid() && std::ranges::any_of(locks, [&](const HeldLock &held) {
           return held.mode == LockMode::Exclusive && world_.names.nodes[held.lock.node].kind == NodeKind::Global &&
                  isUnder(held.lock, flag, leaf);
         });
}

} // namespace deadheat::analyse
