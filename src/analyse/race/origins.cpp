#include "analyse/race/origins.h"

#include "llvm/ADT/SmallSet.h"

#include "link/field_names.h"

namespace deadheat::analyse {

using link::FuncId;
using model::Operand;
using model::Statement;
using model::StatementKind;

Origin Origins::of(const Body &body, Operand operand) {
  const uint32_t parameters = program_.function(body.function).parameterCount;
  Origin origin;
  Pending pending{operand};
  llvm::SmallSet<uint32_t, 8> seen;
  while (!pending.empty() && origin.isKnown) {
    Operand next = pending.back();
    pending.pop_back();
    if (next.isNumber() && next.index == 0) continue;
    if (!next.isValue()) {
      origin.isKnown = false;
    } else if (uint32_t value = next.value().value(); !seen.insert(value).second) {
      continue;
    } else if (value < parameters) {
      origin.isKnown = value < Origin::kMaxParameters;
      origin.parameters |= Origin::Mask(1) << value % Origin::kMaxParameters;
    } else if (!body.definitions.forEachSource(next.value(), [&](Operand source) { pending.push_back(source); })) {
      follow(body, body.definitions.of(next.value()), origin, pending);
    }
  }
  return origin;
}

std::optional<Number> Origins::number(const Body &body, Operand operand) const {
  operand = body.definitions.strip(operand);
  if (!operand.isValue()) return std::nullopt;
  if (uint32_t value = operand.value().value(); value < program_.function(body.function).parameterCount)
    return Number{.parameter = value};
  const Statement *made = body.definitions.of(operand.value());
  if (!made || made->kind != StatementKind::Load) return std::nullopt;
  link::Origin at = link::originOf(body.definitions, made->a);
  int parameter = at.indexed ? -1 : body.definitions.parameter(at.base);
  return parameter < 0 ? std::nullopt : std::optional(Number{static_cast<uint32_t>(parameter), at.offset});
}

void Origins::choose(const Body &body, Operand number, Origin &origin) const {
  std::optional<Number> chosen = this->number(body, number);
  origin.isKnown = chosen.has_value();
  if (chosen) origin.numbers.push_back(*chosen);
}

// A variable's address, or what is read from a variable.
static bool isOfVariable(const Origins::Body &body, Operand operand) {
  link::Origin at = link::originOf(body.definitions, operand);
  const Statement *made = at.base.isValue() ? body.definitions.of(at.base.value()) : nullptr;
  if (made && made->kind == StatementKind::Load) at = link::originOf(body.definitions, made->a);
  return !at.indexed && at.base.isSymbol();
}

void Origins::follow(const Body &body, const Statement *made, Origin &origin, Pending &pending) {
  if (!made) {
    origin.isKnown = false;
  } else if (made->kind == StatementKind::Index && isOfVariable(body, made->a)) {
    choose(body, made->b, origin);
  } else if (made->kind == StatementKind::Field || made->kind == StatementKind::Index) {
    pending.push_back(made->a);
  } else if (made->kind == StatementKind::Stack) {
    origin.isMade = true;
  } else if (made->kind == StatementKind::Call) {
    const model::CallId call(static_cast<uint32_t>(made->number));
    followCall(body, program_.unitOf(body.function).calls[call], origin, pending);
  } else {
    origin.isKnown = body.slots.forEachStored(*made, [&](Operand stored) { pending.push_back(stored); });
  }
}

void Origins::followCall(const Body &body, const model::Call &call, Origin &origin, Pending &pending) {
  FuncId callee = code_.directCallee(program_.function(body.function).unit, call);
  const Origin result = callee.valid() ? returned(callee) : Origin{.isKnown = false};
  origin.isKnown = result.isKnown;
  origin.isMade |= result.isMade;
  auto given = [&](uint32_t parameter) {
    model::ArgumentId argument(call.firstArgument.value() + parameter);
    return parameter < call.argumentCount ? program_.unitOf(body.function).arguments[argument].value : Operand();
  };
  for (uint32_t i = 0; result.parameters >> i != 0; ++i)
    if ((result.parameters >> i & 1) != 0) pending.push_back(given(i));
  for (const Number &number : result.numbers)
    if (origin.isKnown) choose(body, number.inside == Number::kItself ? given(number.parameter) : Operand(), origin);
}

Origin Origins::returned(FuncId function) {
  const link::Function &row = program_.function(function);
  if (row.known && (row.external() || link::replacesBody(*row.known)))
    return {.isKnown = row.known->action == knowledge::Action::Allocate && row.known->object == knowledge::kResult,
            .isMade = true};
  auto [known, isNew] = returned_.try_emplace(function, Origin{.isKnown = false}); // as long as it is looked for
  if (!isNew || row.external() || depth_ == kMaxDepth) return known->second;
  ++depth_;
  Body body(code_, function);
  Origin all;
  bool returns = false;
  code_.forEachStatement(function, [&](model::BlockId, model::StatementId, const Statement &statement) {
    if (statement.kind != StatementKind::Return || !all.isKnown) return;
    returns = true;
    Origin one = of(body, statement.a);
    all.isKnown &= one.isKnown;
    all.isMade |= one.isMade;
    all.parameters |= one.parameters;
    all.numbers.insert(all.numbers.end(), one.numbers.begin(), one.numbers.end());
  });
  --depth_;
  all.isKnown &= returns && !all.isNull();
  return returned_[function] = all;
}

} // namespace deadheat::analyse
