#include "analyse/symbolic/tickets.h"

namespace deadheat::analyse {

using link::FuncId;
using model::Move;
using model::Operand;
using model::Statement;
using model::StatementKind;

static constexpr int kMaxSteps = 6; // back from a number to tickets

// visit(statement, step): what the function does to atomics, with what was there.
template <typename Visit>
static void forEachUpdate(const link::Program &program, FuncId function, const AtomicSteps &steps, Visit visit) {
  link::Code code{program.units, program.symbols};
  const link::UnitId unit = code.function(function).unit;
  code.forEachStatement(function, [&](model::BlockId, model::StatementId, const Statement &statement) {
    if (std::optional<AtomicStep> step = steps.at(unit, statement))
      if (step->isUpdate || step->move != Move::Any) visit(statement, *step);
  });
}

OneWay::OneWay(const link::Program &program, const AtomicSteps &steps) : program_(program) {
  link::Code code{program.units, program.symbols};
  code.forEachFunction([&](FuncId function) {
    if (code.function(function).external() || steps.isWrapper(function)) return;
    forEachUpdate(program, function, steps, [&](const Statement &, const AtomicStep &step) {
      std::optional<Place> place = placeOf(function, step);
      if (!place) return;
      auto [known, isNew] = moves_.try_emplace(*place, step.move);
      if (!isNew && known->second != step.move) known->second = Move::Any;
    });
  });
}

std::optional<OneWay::Place> OneWay::placeOf(FuncId function, const AtomicStep &step) const {
  const link::Location location = program_.pointsTo.of(function, step.address).moved(step.offset);
  if (!location.valid()) return std::nullopt;
  return Place(program_.pointsTo.classOf(location.node), location.offset);
}

bool OneWay::contains(FuncId function, const AtomicStep &step) const {
  std::optional<Place> place = placeOf(function, step);
  auto known = place ? moves_.find(*place) : moves_.end();
  return known != moves_.end() && known->second != Move::Any;
}

Tickets::Tickets(const link::Program &program, FuncId function, const AtomicSteps &steps, const OneWay &oneWay) {
  forEachUpdate(program, function, steps, [&](const Statement &statement, const AtomicStep &step) {
    if (statement.result.valid() && oneWay.contains(function, step)) given_.insert(statement.result);
  });
  if (!given_.empty()) definitions_.emplace(link::Code{program.units, program.symbols}, function);
}

bool Tickets::contains(const Operand &number) const { return definitions_ && isOneOf(number, kMaxSteps); }

bool Tickets::isOneOf(const Operand &number, int depth) const {
  if (number.isNumber() && number.index < 0 && depth < kMaxSteps) return true;
  if (!number.isValue() || depth == 0) return false;
  if (given_.contains(number.value())) return true;
  bool areAll = true;
  return definitions_->forEachSource(number.value(), [&](const Operand &source) {
    areAll = areAll && isOneOf(source, depth - 1);
  }) && areAll;
}

bool Tickets::chooses(const Operand &number) const {
  if (!definitions_) return false;
  auto computed = [&](const Operand &operand) -> const Statement * {
    const Operand stripped = definitions_->strip(operand);
    const Statement *made = stripped.isValue() ? definitions_->of(stripped.value()) : nullptr;
    return made && made->kind == StatementKind::Compute ? made : nullptr;
  };
  const Statement *sum = computed(number);
  if (!sum || !sum->a.isValue() || !sum->b.isValue()) return false;
  auto isPart = [&](const Operand &operand) {
    const Statement *made = computed(operand);
    return made && (contains(made->a) || contains(made->b));
  };
  return isPart(sum->a) || isPart(sum->b);
}

} // namespace deadheat::analyse
