#include "link/objects_of_calls.h"

namespace deadheat::link {

namespace {

using model::Operand;
using model::StatementKind;

constexpr int kMaxWay = 6; // statements from the argument back to a variable

class Words {
public:
  Words(const Code &code, const Definitions &definitions, const CallSite &site)
      : code_(code), definitions_(definitions), site_(site) {}

  std::string of(Operand operand, int way = kMaxWay) const {
    operand = definitions_.strip(operand);
    if (operand.isSymbol()) return "@" + std::to_string(operand.index);
    if (!operand.isValue() || way == 0) return {};
    const model::Statement *made = definitions_.of(operand.value());
    if (!made) return "%" + std::to_string(operand.index); // a parameter
    if (Element element = elementOf(code_, site_.unit, *made); element.index.isNumber())
      return follow(element.array, "[" + std::to_string(element.index.index) + "]", way);
    switch (made->kind) {
    case StatementKind::Stack: return "%" + std::to_string(operand.index);
    case StatementKind::Field: return follow(made->a, "+" + std::to_string(made->number), way);
    case StatementKind::Load: return follow(made->a, "*", way);
    case StatementKind::Call: return byLibrary(*made, way);
    default: return {};
    }
  }

private:
  std::string follow(Operand from, const std::string &step, int way) const {
    std::string words = of(from, way - 1);
    return words.empty() ? words : words + step;
  }

  // `worker.get()`, `worker->`: of what a smart pointer holds.
  std::string byLibrary(const model::Statement &made, int way) const {
    const model::Unit &unit = code_.unit(site_.unit);
    const model::Call &call = unit.calls[model::CallId(static_cast<uint32_t>(made.number))];
    FuncId callee = code_.directCallee(site_.unit, call);
    if (!callee.valid() || call.argumentCount != 1 || !(code_.function(callee).flags & model::kLibrary)) return {};
    return follow(argumentOf(unit, call, 0), "()", way);
  }

  const Code &code_;
  const Definitions &definitions_;
  const CallSite &site_;
};

} // namespace

std::string objectOfCall(const Code &code, const Definitions &definitions, const CallSite &site) {
  const model::Unit &unit = code.unit(site.unit);
  const model::Call &call = unit.calls[site.call];
  return call.argumentCount > 0 ? Words(code, definitions, site).of(argumentOf(unit, call, 0)) : std::string();
}

std::string holderOf(std::string words) {
  if (size_t step = words.find_last_not_of("0123456789"); step != std::string::npos && words[step] == '+')
    words.resize(step);
  return words;
}

NumberedObjects::NumberedObjects(const Code &code, FuncId function)
    : code_(code), function_(function), definitions_(code, function) {}

CallObject NumberedObjects::of(const CallSite &site, bool isHandle, bool isInLoop) {
  std::string words = objectOfCall(code_, definitions_, site);
  if (isHandle) words = holderOf(std::move(words));
  if (words.empty()) return {};
  const bool isFirst = !isInLoop && words == "%0" && code_.function(function_).parameterCount > 0;
  const bool isOneInAllRounds = words.find_first_of("*([") == std::string::npos;
  const uint32_t number =
      numbers_.try_emplace(std::move(words), static_cast<uint32_t>(numbers_.size()) + 1).first->second;
  return {isInLoop ? 0 : number, isOneInAllRounds ? number : 0, isFirst};
}

} // namespace deadheat::link
