#include "analyse/symbolic/own_locks.h"

#include <algorithm>
#include <iterator>

#include "analyse/symbolic/spins.h"

namespace deadheat::analyse {

static bool isZero(const model::Operand &written) { return written.isNumber() && written.index == 0; }

bool OwnLocks::frees(const AtomicStep &step) {
  return !step.isUpdate && (isZero(step.value) || step.value == model::Operand{});
}

std::optional<OwnLocks::Key> OwnLocks::keyOf(link::FuncId function, const AtomicStep &step) const {
  link::Location location = program_.pointsTo.of(function, step.address).moved(step.offset);
  if (!location.valid()) return std::nullopt;
  return Key{program_.pointsTo.classOf(location.node), location.offset};
}

bool OwnLocks::contains(link::FuncId function, const AtomicStep &step) const {
  if (locks_.empty()) return false;
  std::optional<Key> key = keyOf(function, step);
  return key && locks_.contains(*key);
}

OwnLocks::OwnLocks(const link::Program &program, const AtomicSteps &steps) : program_(program) {
  link::Code code{program.units, program.symbols};
  std::set<Key> taken, freed;
  code.forEachFunction([&](link::FuncId function) {
    if (code.function(function).external()) return;
    for (const auto &[edge, update] : findSpinExits(program, steps, function))
      if (std::optional<Key> key = keyOf(function, update); key && !isZero(update.value)) taken.insert(*key);
  });
  if (taken.empty()) return;
  code.forEachFunction([&](link::FuncId function) {
    if (steps.isWrapper(function)) return; // its callers say more
    code.forEachStatement(function, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
      std::optional<AtomicStep> step = steps.at(code.function(function).unit, statement);
      if (!step || !frees(*step)) return;
      if (std::optional<Key> key = keyOf(function, *step)) freed.insert(*key);
    });
  });
  std::ranges::set_intersection(taken, freed, std::inserter(locks_, locks_.end()));
}

} // namespace deadheat::analyse
