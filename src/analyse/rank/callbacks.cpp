#include "analyse/rank/callbacks.h"

#include "analyse/symbolic/state.h"

namespace deadheat::analyse {

using link::CallSiteId;
using link::FuncId;

static constexpr unsigned kMaxLevels = 4; // of handing on

static const model::Call &callAt(const link::Program &program, CallSiteId site) {
  const link::CallSite &row = program.calls.sites[site];
  return program.unit(row.unit).calls[row.call];
}

std::optional<uint32_t> Callbacks::parameterAt(CallSiteId site) const {
  const link::CallSite &row = program_.calls.sites[site];
  const model::Operand &callee = callAt(program_, site).callee;
  if (!row.caller.valid() || !callee.isValue()) return std::nullopt;
  uint32_t value = callee.value().value();
  return value < program_.function(row.caller).parameterCount ? std::optional(value) : std::nullopt;
}

Callbacks::Given Callbacks::givenAt(CallSiteId site, uint32_t number) const {
  const link::CallSite &row = program_.calls.sites[site];
  const model::Call &call = callAt(program_, site);
  if (!row.caller.valid() || number >= call.argumentCount) return {};
  const model::Operand &value =
      program_.unit(row.unit).arguments[model::ArgumentId(call.firstArgument.value() + number)].value;
  if (value.isNumber()) return {.function = FuncId()};
  if (value.isSymbol()) {
    link::Target target = program_.symbols.target(row.unit, value.symbol());
    return target.function.valid() ? Given{.function = target.function} : Given();
  }
  if (value.isValue() && value.value().value() < program_.function(row.caller).parameterCount)
    return {.parameter = value.value().value()};
  return {};
}

bool Callbacks::handOn(CallSiteId site) {
  const link::CallSite &row = program_.calls.sites[site];
  bool found = false;
  if (!row.caller.valid() || !callAt(program_, site).callee.isSymbol()) return found;
  for (FuncId callee : program_.calls.callees[site])
    for (uint32_t parameter : std::vector<uint32_t>(calledBy(callee)))
      if (std::optional<uint32_t> own = givenAt(site, parameter).parameter) {
        std::vector<uint32_t> &known = called_[row.caller.value()];
        size_t before = known.size();
        insertSorted(known, *own);
        found |= known.size() != before;
      }
  return found;
}

Callbacks::Callbacks(const link::Program &program) : program_(program) {
  for (uint32_t i = 0; i < program.calls.sites.size(); ++i)
    if (std::optional<uint32_t> parameter = parameterAt(CallSiteId(i)))
      insertSorted(called_[program.calls.sites[CallSiteId(i)].caller.value()], *parameter);
  for (unsigned level = 0; level < kMaxLevels; ++level) {
    bool found = false;
    for (uint32_t i = 0; i < program.calls.sites.size(); ++i) found |= handOn(CallSiteId(i));
    if (!found) break;
  }
}

const std::vector<uint32_t> &Callbacks::calledBy(FuncId function) const {
  static const std::vector<uint32_t> kNone;
  auto row = called_.find(function.value());
  return row == called_.end() ? kNone : row->second;
}

} // namespace deadheat::analyse
