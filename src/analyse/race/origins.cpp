#include "analyse/race/origins.h"

#include "llvm/ADT/SmallSet.h"

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

void Origins::follow(const Body &body, const Statement *made, Origin &origin, Pending &pending) {
  if (!made) {
    origin.isKnown = false;
  } else if (made->kind == StatementKind::Field || made->kind == StatementKind::Index) {
    pending.push_back(made->a);
  } else if (made->kind == StatementKind::Stack) {
    origin.isMade = true;
  } else if (made->kind == StatementKind::Call) {
    const model::CallId call(static_cast<uint32_t>(made->number));
    followCall(body.function, program_.unitOf(body.function).calls[call], origin, pending);
  } else {
    origin.isKnown = body.slots.forEachStored(*made, [&](Operand stored) { pending.push_back(stored); });
  }
}

void Origins::followCall(FuncId function, const model::Call &call, Origin &origin, Pending &pending) {
  FuncId callee = code_.directCallee(program_.function(function).unit, call);
  Origin result = callee.valid() ? returned(callee) : Origin{.isKnown = false};
  origin.isKnown = result.isKnown;
  origin.isMade |= result.isMade;
  for (uint32_t i = 0; result.parameters >> i != 0; ++i) {
    if ((result.parameters >> i & 1) == 0) continue;
    if (i >= call.argumentCount) {
      origin.isKnown = false;
      return;
    }
    pending.push_back(program_.unitOf(function).arguments[model::ArgumentId(call.firstArgument.value() + i)].value);
  }
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
    all = {all.isKnown && one.isKnown, all.isMade || one.isMade, all.parameters | one.parameters};
  });
  --depth_;
  all.isKnown &= returns && !all.isNull();
  return returned_[function] = all;
}

} // namespace deadheat::analyse
