// Numbers by which two threads take turns: the ends of a ring.
//
//   producer                                  consumer
//     while (tail - head == size) wait();       while (head == tail) wait();
//     slots[tail % size] = item;                item = slots[head % size];
//     tail = tail + 1;                          head = head + 1;
//
// Who has compared the other one's number, read with acquire, with something that is no constant comes after what the other one did before it
// moved that number on. That holds for a slot only if the other one waits in the same way: so it is kept apart from what was seen set
// (HeldLock::turn), and a filter asks both sides for it. A copy of the other one's number that is kept beside the own one, and read again only
// if it does not suffice, counts like the number.
#include "analyse/symbolic/function.h"

#include "link/definitions.h"
#include "link/field_names.h"

namespace deadheat::analyse {

using model::Operand;
using model::Statement;
using model::StatementKind;

static bool isSamePlace(const link::Origin &a, const link::Origin &b) {
  return a.base == b.base && a.offset == b.offset && !a.indexed && !b.indexed;
}

void FunctionAnalysis::findKeptNumbers() {
  keptNumbers_.emplace();
  const link::Code code{program_.units, program_.symbols};
  std::vector<const Statement *> stores;
  bool hasAtomics = false;
  auto numberOf = [&](const Statement &statement) -> Operand { // that it reads
    if (statement.kind == StatementKind::AtomicLoad) return answers().isRelaxed(statement) ? Operand() : statement.a;
    if (statement.kind != StatementKind::Call || !statement.result.valid()) return {};
    const model::Call &call = unit_.calls[model::CallId(static_cast<uint32_t>(statement.number))];
    const link::FuncId callee = code.directCallee(unitId_, call);
    if (!callee.valid() || call.argumentCount == 0) return {};
    const Summary &summary = environment_.summary(callee);
    return summary.told && !answers().isRelaxed(statement) ? unit_.arguments[call.firstArgument].value : Operand();
  };
  code.forEachStatement(function_, [&](model::BlockId, model::StatementId, const Statement &statement) {
    if (statement.kind == StatementKind::Store && statement.b.isValue()) stores.push_back(&statement);
    hasAtomics |= numberOf(statement).kind != model::OperandKind::None;
  });
  if (!hasAtomics || stores.empty()) return;
  const link::Definitions definitions(code, function_);
  for (const Statement *store : stores) {
    const Operand stored = definitions.strip(store->b);
    const Statement *made = stored.isValue() ? definitions.of(stored.value()) : nullptr;
    const Operand number = made ? numberOf(*made) : Operand();
    if (number.kind == model::OperandKind::None) continue;
    keptNumbers_->push_back({link::originOf(definitions, store->a), link::originOf(definitions, number)});
  }
}

// A copy of an atomic is kept there.
std::optional<Address> FunctionAnalysis::copiedIn(const Operand &place) {
  if (!keptNumbers_) findKeptNumbers();
  if (keptNumbers_->empty()) return std::nullopt;
  const link::Definitions definitions({program_.units, program_.symbols}, function_);
  const link::Origin origin = link::originOf(definitions, place);
  for (const KeptNumber &kept : *keptNumbers_) {
    if (!isSamePlace(kept.place, origin) || kept.number.indexed) continue;
    const Value base = evaluate(kept.number.base);
    if (!base.isMust()) continue;
    return Address{base.targets()[0].node, base.targets()[0].offset + kept.number.offset};
  }
  return std::nullopt;
}

// What was read with no order has a name, too, but was not told.
std::optional<Address> FunctionAnalysis::numberIn(const Operand &operand) {
  if (!operand.isValue()) return std::nullopt;
  if (auto known = told_.find(operand.value().value()); known != told_.end()) return known->second;
  const model::StatementId made = definitions_[operand.value().value()];
  return made.valid() && at(made).kind == StatementKind::Load ? copiedIn(at(made).a) : std::nullopt;
}

// `head != tail`, `tail - head < size`.
void FunctionAnalysis::takeTurn(const Operand &a, const Operand &b, State &state) {
  if (!b.isNumber()) {
    for (const Operand &part : {a, b})
      if (std::optional<Address> number = numberIn(part); number && !isPrivate(number->node, state))
        insertSorted(state.after, HeldLock{.lock = *number, .mode = LockMode::After, .turn = true});
    return;
  }
  const model::StatementId made = a.isValue() ? definitions_[a.value().value()] : model::StatementId();
  if (!made.valid()) return;
  if (at(made).kind == StatementKind::Copy) takeTurn(at(made).a, b, state);
  if (at(made).kind == StatementKind::Compute) takeTurn(at(made).a, at(made).b, state);
}

// `return tail - head == size;`: who calls it asks for it.
void FunctionAnalysis::takeTurnBy(const Operand &result, State &state) {
  const model::StatementId made = result.isValue() ? definitions_[result.value().value()] : model::StatementId();
  if (!made.valid()) return;
  if (at(made).kind == StatementKind::Compare || at(made).kind == StatementKind::Compute)
    takeTurn(at(made).a, at(made).b, state);
}

} // namespace deadheat::analyse
