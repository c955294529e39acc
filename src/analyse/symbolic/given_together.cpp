// Functions that are given together: what was called through one parameter tells what is called through another one.
#include "analyse/symbolic/function.h"

#include <algorithm>

namespace deadheat::analyse {

// What a parameter is, as a number that no program has.
static int64_t numberOf(link::FuncId function) { return INT64_MIN / 2 + function.value(); }

static bool isFunction(const Fact &fact) {
  return fact.equal && fact.number >= INT64_MIN / 2 && fact.number < INT64_MIN / 4;
}

// The parameter that is called, if that may be one of several functions.
std::optional<uint32_t> FunctionAnalysis::calledParameter(const CallContext &context) {
  const model::Operand &callee = context.call.callee;
  if (!callee.isValue() || callee.value().value() >= body_.parameterCount) return std::nullopt;
  if ((context.call.flags & model::kVirtual) != 0 || program_.calls.callees[context.site].size() < 2)
    return std::nullopt;
  if (!givenFunctions_) givenFunctions_ = functionsGiven(program_, function_);
  return givenFunctions_->empty() ? std::nullopt : std::optional(callee.value().value());
}

// Somebody gives it there, together with what was called before.
bool FunctionAnalysis::isGivenThere(uint32_t parameter, link::FuncId callee, const State &state) const {
  auto fits = [](const auto &row, uint32_t which, int64_t number) {
    auto given = row.find(which);
    return given == row.end() || numberOf(given->second) == number;
  };
  return std::ranges::any_of(*givenFunctions_, [&](const auto &row) {
    if (!fits(row, parameter, numberOf(callee))) return false;
    for (uint32_t other = 0; other < body_.parameterCount; ++other)
      if (const Fact *fact = state.facts.find(factOf(model::ValueId(other)));
          fact && isFunction(*fact) && !fits(row, other, fact->number))
        return false;
    return true;
  });
}

State FunctionAnalysis::calling(std::optional<uint32_t> parameter, link::FuncId callee, const State &state) {
  State chosen = state;
  if (parameter) chosen.facts.set(factOf(model::ValueId(*parameter)), {true, numberOf(callee)});
  return chosen;
}

} // namespace deadheat::analyse
