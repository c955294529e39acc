#include "analyse/race/own_parameters.h"

#include <algorithm>

#include "analyse/race/world.h"

namespace deadheat::analyse {

using link::DistinctWhy;
using link::FuncId;
using link::ThreadId;

OwnParameters::OwnParameters(const link::Program &program) : program_(program), origins_(program) {
  if (program.threads.list.size() > kMaxCrews) return; // they are followed in crews: one's own may be another's there
  for (uint32_t i = 0; i < program.threads.list.size(); ++i) follow(ThreadId(i));
  passings_.clear();
}

OwnParameters::Marks OwnParameters::marksOf(ThreadId thread, FuncId function) const {
  auto known = marks_.find(thread);
  return known == marks_.end() ? Marks() : known->second[function.value()];
}

static bool has(Origin::Mask mask, uint32_t parameter) {
  return parameter < Origin::kMaxParameters && (mask >> parameter & 1) != 0;
}

bool OwnParameters::isOwn(ThreadId thread, FuncId function, uint32_t parameter) const {
  return has(marksOf(thread, function).own, parameter);
}

bool OwnParameters::isMade(ThreadId thread, FuncId function, uint32_t parameter) const {
  return has(marksOf(thread, function).made, parameter);
}

bool OwnParameters::isChosen(ThreadId thread, FuncId function, uint32_t parameter) const {
  return has(marksOf(thread, function).chosen, parameter);
}

bool OwnParameters::isNumber(ThreadId thread, FuncId function, uint32_t parameter) const {
  return has(marksOf(thread, function).numbers, parameter);
}

// What was own stays so until a call shows that it is not.
void OwnParameters::follow(ThreadId id) {
  const link::Thread &thread = program_.threads.list[id];
  std::vector<Marks> &marks = marks_[id];
  marks.resize(program_.symbols.functions.size());
  const bool isOne = thread.many && thread.entries.size() == 1;
  const Mask own = isOne && thread.distinct >= DistinctWhy::Indexed;
  const Mask number = isOne && (thread.distinct == DistinctWhy::Numbered || thread.withinCall == DistinctWhy::Numbered);
  std::vector<FuncId> pending(thread.entries.begin(), thread.entries.end());
  for (FuncId entry : pending) marks[entry.value()] = {.isReached = true, .own = own, .numbers = number};
  while (!pending.empty()) {
    FuncId caller = pending.back();
    pending.pop_back();
    for (const Passing &passing : passings(caller))
      for (FuncId callee : program_.calls.callees[passing.site]) {
        Marks &known = marks[callee.value()];
        const Marks now = given(passing, callee, caller, id), before = known;
        known = before.isReached ? Marks{true, before.own & now.own, before.made & now.made, before.chosen & now.chosen,
                                         before.numbers & now.numbers}
                                 : now;
        if (known != before) pending.push_back(callee);
      }
  }
}

// It was handed down, or lies in what the thread was started with, where the loop around the start has put a number.
bool OwnParameters::isOwnNumber(const Number &number, FuncId function, ThreadId id) const {
  if (number.inside == Number::kItself) return has(marksOf(id, function).numbers, number.parameter);
  const link::Thread &thread = program_.threads.list[id];
  return thread.many && thread.entries.size() == 1 && thread.entries[0] == function && number.parameter == 0 &&
         thread.withinCall != DistinctWhy::Not && std::ranges::binary_search(thread.numbers, number.inside);
}

// What a callee calls back gets other arguments than the call has.
OwnParameters::Marks OwnParameters::given(const Passing &passing, FuncId callee, FuncId caller, ThreadId thread) const {
  Marks given{.isReached = true};
  if (passing.direct.valid() && passing.direct != callee) return given;
  const Marks mine = marksOf(thread, caller);
  auto isOwn = [&](const Number &number) { return isOwnNumber(number, caller, thread); };
  for (size_t i = 0; i < passing.arguments.size(); ++i) {
    const Mask bit = Mask(1) << i;
    if (passing.numbers[i] && isOwn(*passing.numbers[i])) given.numbers |= bit;
    const Origin &origin = passing.arguments[i];
    if (!origin.isKnown || origin.isNull()) continue;
    const bool isMade = (origin.parameters & ~mine.made) == 0 && origin.numbers.empty();
    if (isMade) given.made |= bit;
    if (isMade || ((origin.parameters & ~(mine.own | mine.made)) == 0 && origin.numbers.empty())) given.own |= bit;
    if ((origin.parameters & ~(mine.own | mine.made | mine.chosen)) == 0 && std::ranges::all_of(origin.numbers, isOwn))
      given.chosen |= bit;
  }
  return given;
}

const std::vector<OwnParameters::Passing> &OwnParameters::passings(FuncId function) {
  auto [place, isNew] = passings_.try_emplace(function);
  if (!isNew || program_.function(function).external()) return place->second;
  link::Code code{program_.units, program_.symbols};
  Origins::Body body(code, function);
  const link::UnitId unit = program_.function(function).unit;
  code.forEachStatement(function, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
    if (statement.kind != model::StatementKind::Call) return;
    model::CallId id(static_cast<uint32_t>(statement.number));
    const model::Call &call = program_.unit(unit).calls[id];
    Passing passing{program_.calls.site(unit, id), code.directCallee(unit, call), {}, {}};
    for (uint32_t i = 0; i < std::min(call.argumentCount, Origin::kMaxParameters); ++i) {
      model::ArgumentId argument(call.firstArgument.value() + i);
      passing.arguments.push_back(origins_.of(body, program_.unit(unit).arguments[argument].value));
      passing.numbers.push_back(origins_.number(body, program_.unit(unit).arguments[argument].value));
    }
    place->second.push_back(std::move(passing));
  });
  return place->second;
}

} // namespace deadheat::analyse
