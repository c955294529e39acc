// What tests tell about values, and which way a state goes at a test.
#include "analyse/flag/facts.h"
#include "analyse/symbolic/function.h"

namespace deadheat::analyse {

using model::Predicate;

// Not null: the address of an object or of a part of one.
static bool isObjectAddress(const NodeTable &nodes, const Value &value) {
  if (!value.isMust() || value.mayBeNull()) return false;
  NodeId node = value.targets()[0].node;
  while (nodes[node].kind == NodeKind::Element) node = nodes[node].base;
  return isObject(nodes[node].kind);
}

std::optional<Fact> FunctionAnalysis::factAbout(const model::Operand &operand, const State &state) {
  if (operand.isNumber()) return Fact{true, operand.index};
  if (operand.isValue())
    if (const Fact *fact = state.facts.find(factOf(operand.value()))) return *fact;
  Value value = evaluate(operand);
  if (value.isNumber()) return Fact{true, value.number()};
  if (isObjectAddress(names_.nodes, value)) return Fact{false, 0};
  if (value.isMust() && value.targets()[0].offset == 0)
    if (const Fact *fact = state.facts.find(factOf(value.targets()[0].node))) return *fact;
  return std::nullopt;
}

static std::optional<bool> compare(Predicate predicate, int64_t a, int64_t b) {
  switch (predicate) {
  case Predicate::Equal: return a == b;
  case Predicate::NotEqual: return a != b;
  case Predicate::Less: return a < b;
  case Predicate::LessOrEqual: return a <= b;
  case Predicate::Greater: return a > b;
  case Predicate::GreaterOrEqual: return a >= b;
  case Predicate::Unknown: return std::nullopt;
  }
  return std::nullopt;
}

std::optional<bool> FunctionAnalysis::decide(Predicate predicate, const model::Operand &a, const model::Operand &b,
                                             const State &state) {
  std::optional<Fact> factA = factAbout(a, state);
  std::optional<Fact> factB = factAbout(b, state);
  if (!factA || !factB) return std::nullopt;
  if (factA->equal && factB->equal) return compare(predicate, factA->number, factB->number);
  if (factA->equal == factB->equal || factA->number != factB->number)
    return std::nullopt; // "not 3" tells nothing about 4
  if (predicate == Predicate::Equal || predicate == Predicate::NotEqual) return predicate == Predicate::NotEqual;
  return std::nullopt;
}

void FunctionAnalysis::setFact(const model::Operand &operand, Fact fact, State &state) {
  if (!operand.isValue()) return;
  state.facts.set(factOf(operand.value()), fact);
  Value value = evaluate(operand);
  if (value.isMust() && value.targets()[0].offset == 0 && !isObjectAddress(names_.nodes, value))
    state.facts.set(factOf(value.targets()[0].node), fact);
}

// The atomic whose value this is, or some bits of it; what was read again after others may have written it has no name, but is told all the
// same.
std::optional<Address> FunctionAnalysis::toldBy(const model::Operand &operand) const {
  if (!operand.isValue()) return std::nullopt;
  if (auto known = told_.find(operand.value().value()); known != told_.end()) return known->second;
  const model::StatementId made = definitions_[operand.value().value()];
  if (made.valid() && at(made).kind == model::StatementKind::Compute)
    for (const model::Operand &part : {at(made).a, at(made).b})
      if (std::optional<Address> told = toldBy(part)) return told;
  const bool isRead = made.valid() && (at(made).kind == model::StatementKind::AtomicLoad ||
                                       at(made).kind == model::StatementKind::Call);
  const Value &value = values_[operand.value().value()];
  if (!value.isMust() || (isRead && answers().isRelaxed(at(made))))
    return std::nullopt; // its name is also that of others
  const Node &seen = names_.nodes[value.targets()[0].node];
  bool isTold = seen.kind == NodeKind::Load && infoOf(value.targets()[0].node).isAtomic;
  return isTold ? std::optional(Address{seen.base, seen.offset}) : std::nullopt;
}

void FunctionAnalysis::assume(Predicate predicate, const model::Operand &a, const model::Operand &b, bool holds,
                              State &state) {
  Predicate real = holds ? predicate : opposite(predicate);
  if (real != Predicate::Equal) takeTurn(a, b, state); // equal: there is nothing, or no room
  if (!b.isNumber() || !a.isValue()) return;
  std::optional<Fact> fact = factFrom(real, b.index);
  if (!fact) return;
  // Who knows the number knows more than that it is not another one.
  if (std::optional<Fact> known = factAbout(a, state); fact->equal || !known || !known->equal) setFact(a, *fact, state);
  const bool isForEquality = real == Predicate::Equal || real == Predicate::NotEqual; // else it is a number that counts
  if (isForEquality && fact->equal == (fact->number != 0))
    if (std::optional<Address> signal = toldBy(a)) comeAfter(Value::must(*signal), false, state);
  model::StatementId definition = definitions_[a.value().value()];
  if (!definition.valid() || fact->number != 0) return;
  const model::Statement &made = at(definition);
  if (made.kind == model::StatementKind::Copy)
    assume(real, made.a, b, true, state);
  else if (made.kind == model::StatementKind::Compare)
    assume(static_cast<Predicate>(made.number), made.a, made.b, !fact->equal, state);
}

Outcome FunctionAnalysis::outcomeOf(const model::Operand &operand, const State &state) {
  std::optional<Fact> fact = factAbout(operand, state);
  if (!fact || !isZero(*fact)) return Outcome::Any;
  return *isZero(*fact) ? Outcome::Zero : Outcome::NonZero;
}

} // namespace deadheat::analyse
